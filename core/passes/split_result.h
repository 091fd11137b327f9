#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <utility>
#include <vector>

namespace sunder {

/// Result of a pass that splits a graph into submodules: by tags, by a partition per node, or by devices.
struct SplitResult {
    Program program;  ///< root graph with one submodule call per part; every part has its own graph
    IdentityMap map;  ///< nodes of the source → nodes of `program`
    std::vector<GraphId> parts;             ///< graph of each part
    /// name of each part: a tag or e.g. "submod_0"; the target of its call in the root graph
    std::vector<InternedString> partNames;
    /// Called modules and read attributes: path in the source → path in `program`.
    std::vector<std::pair<InternedString, InternedString>> fqnMap;
    bool numbersInputs = false; ///< inputs of parts are named arg_0, arg_1, …
};

} // namespace sunder
