#pragma once

#include <QString>

#include <vector>

namespace sunder {

/// A model that is shipped with Sunder.
struct Sample {
    QString path;
    QString title;
    QString description;
};

/// Returns the models in share/ next to the program's folder, for installed and built programs.
std::vector<Sample> sampleModels();

} // namespace sunder
