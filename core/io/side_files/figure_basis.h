#pragma once

#include "io/sympy/size_assumptions.h"
#include "support/json_writer.h"

#include <string>
#include <vector>

namespace sunder {

/// The assumptions behind sizes in bytes.
struct FigureBasis {
    std::vector<AssumedSize> assumed = {}; ///< assumed values of symbolic dimensions
    bool ofFile = false; ///< the file has constant sizes (`size_bytes`), independent of assumptions
};

/// The basis of sizes computed from the shapes of a program. O(values).
FigureBasis basisOfShapes(const Program& program);

/// The basis of a partitioner's sizes: those in the file, if any. O(values).
FigureBasis basisOfPartitions(const Program& program);

/// Writes the member "assumed_sizes":{"s27":8} if there are any.
void writeAssumedSizes(const std::vector<AssumedSize>& sizes, JsonWriter& json);

/// Writes the members "assumed_sizes":{"s27":8} and "used_mem_bytes_from":"size_bytes of the file". None if sizes are plain numbers.
void write(const FigureBasis& basis, JsonWriter& json);

} // namespace sunder
