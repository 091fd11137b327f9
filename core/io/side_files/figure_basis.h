#pragma once

#include "io/sympy/size_assumptions.h"

#include <string>
#include <vector>

namespace sunder {

/// What figures in bytes rest on.
struct FigureBasis {
    std::vector<AssumedSize> assumed = {}; ///< what symbols of sizes are taken to be
    bool ofFile = false; ///< the file gives sizes itself (`size_bytes`), as constants: no assumption changes them
};

/// Of what is worked out from the shapes of a program. O(values).
FigureBasis basisOfShapes(const Program& program);

/// Of what a partitioner reckons: the sizes that the file gives, where it gives any. O(values).
FigureBasis basisOfPartitions(const Program& program);

/// As further members of a JSON object: `,"assumed_sizes":{"s27":8}`, `,"used_mem_bytes_from":"size_bytes of the file"`; empty
/// where sizes are plain numbers.
std::string membersOf(const FigureBasis& basis);

} // namespace sunder
