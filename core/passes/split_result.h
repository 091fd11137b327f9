#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <utility>
#include <vector>

namespace sunder {

/// What a pass makes that cuts a graph into submodules: by tags, by a partition per node, by devices.
struct SplitResult {
    Program program;  ///< root graph that calls one submodule a part; every part has a graph of its own
    IdentityMap map;  ///< nodes of the source → nodes of `program`
    std::vector<GraphId> parts;             ///< graph of each part
    std::vector<InternedString> partNames;  ///< its name: a tag, "submod_0"; what the root graph's calls target
    /// Called module or read attribute: its path in the source → its path in `program`.
    std::vector<std::pair<InternedString, InternedString>> fqnMap;
    bool numbersInputs = false; ///< inputs of parts are named arg_0, arg_1, …
};

} // namespace sunder
