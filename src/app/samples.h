#pragma once

#include <QString>

#include <vector>

namespace sunder {

/// A model that comes with Sunder.
struct Sample {
    QString path;
    QString title;
    QString description;
};

/// Those that lie in share/ beside the program's own folder, installed or built.
std::vector<Sample> sampleModels();

} // namespace sunder
