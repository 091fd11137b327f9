#pragma once

#include "ir/program.h"
#include "support/rows.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// One call of a module, by the modules around it: "layers.3.mlp", the second time that it runs.
struct ModuleCallIdentity {
    InternedString path; ///< dotted; empty for the model itself
    InternedString cls;  ///< qualified class; empty when unknown
    std::uint32_t call = 0;   ///< which of its calls, from 0
    std::uint32_t parent = 0; ///< index of the call around it; that of the model itself is 0
    friend bool operator==(const ModuleCallIdentity&, const ModuleCallIdentity&) = default;
};

/// What is known of a node apart from its name, so that it is found again in another export.
struct NodeIdentity {
    InternedString name;
    InternedString target; ///< as in the node; of a weight its qualified name
    Op op = Op::callFunction;
    bool isWeight = false;       ///< a parameter, buffer or constant, whichever op reads it
    std::uint32_t module = 0;    ///< index of the call of a module that it runs in
    /// Hash of op, target and constants; where an input stands, whether it is a weight. Of a weight: of its values, as far as
    /// the CRC in its file tells them; 0 where that is not known.
    std::uint64_t constants = 0;
    std::uint64_t value = 0; ///< hash of dtype and shape of what it gives
    friend bool operator==(const NodeIdentity&, const NodeIdentity&) = default;
};

/// What a root graph is made of, apart from names: enough to find its ops again in another export of the model when this one
/// is gone. A value; the same in every process. Nodes stand in graph order, so the place of a node among its equals in a module
/// is how many of them stand before it.
struct GraphIdentity {
    std::vector<ModuleCallIdentity> modules; ///< the model itself first; those around others before them
    std::vector<NodeIdentity> nodes;
    Rows reads; ///< per node: indices of the nodes that it reads, each once, in the order of its arguments
};

/// Linear in nodes, arguments and frames.
GraphIdentity identityOf(const Program& program);

/// "layers.3.mlp", "layers.3.mlp (call 2)"; "the model" for the model itself.
std::string placeText(const ModuleCallIdentity& module);

} // namespace sunder
