#pragma once

#include <QString>

#include <vector>

namespace sunder {

struct SystemFact {
    QString name;
    QString value;
};

/// What a report of a fault is to say of program and machine: versions of Sunder, Qt and Graphviz, how it was built, operating
/// system, processor, window system, screen. Needs a QGuiApplication for the last two.
std::vector<SystemFact> systemFacts();

/// "Sunder: 0.1.0", a line a fact.
QString systemFactsText();

} // namespace sunder
