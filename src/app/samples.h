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

/// Those that are there: beside the installed program, else in the source tree it was built from. Empty when neither.
std::vector<Sample> sampleModels();

} // namespace sunder
