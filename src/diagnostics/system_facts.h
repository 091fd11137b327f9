#pragma once

#include <QString>

#include <vector>

namespace sunder {

struct SystemFact {
    QString name;
    QString value;
};

/// Returns facts for bug reports: versions of Sunder, Qt, and Graphviz, build, operating system, processor, window system, and
/// screen. The last two need a QGuiApplication.
std::vector<SystemFact> systemFacts();

/// Returns the facts as lines such as "Sunder: 0.1.0".
QString systemFactsText();

} // namespace sunder
