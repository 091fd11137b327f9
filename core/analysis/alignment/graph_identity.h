#pragma once

#include "ir/program.h"
#include "support/rows.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// One call of a module, within its enclosing modules: the second run of "layers.3.mlp".
struct ModuleCallIdentity {
    InternedString path; ///< dotted; empty for the model itself
    InternedString cls;  ///< qualified class; empty if unknown
    std::uint32_t call = 0;   ///< number of the call, from 0
    std::uint32_t parent = 0; ///< index of the enclosing call; 0 for the model itself
    friend bool operator==(const ModuleCallIdentity&, const ModuleCallIdentity&) = default;
};

/// The properties of a node, apart from its name, by which it is found in another export.
struct NodeIdentity {
    InternedString name;
    InternedString target; ///< as in the node; the qualified name of a weight
    Op op = Op::callFunction;
    bool isWeight = false;       ///< a parameter, buffer or constant, regardless of the op that reads it
    std::uint32_t module = 0;    ///< index of the module call that it runs in
    /// Hash of op, target and constants; inputs are only distinguished as weights or other values. Of a weight: hash of its
    /// values by the CRC in the file; 0 if unknown.
    std::uint64_t constants = 0;
    std::uint64_t value = 0; ///< hash of dtype and shape of its result
    friend bool operator==(const NodeIdentity&, const NodeIdentity&) = default;
};

/// The structure of a root graph, sufficient to match its ops to another export of the model when the graph itself is no longer
/// available. A value; identical in every process. Nodes are in graph order, so the position of a node among equal nodes of its
/// module is the number of those before it.
struct GraphIdentity {
    std::vector<ModuleCallIdentity> modules; ///< the model itself first; enclosing calls precede inner ones
    std::vector<NodeIdentity> nodes;
    Rows reads; ///< per node: indices of its distinct inputs, in argument order
};

/// Computes the identity of a root graph. Linear in nodes, arguments and stack frames.
GraphIdentity identityOf(const Program& program);

/// Returns "layers.3.mlp" or "layers.3.mlp (call 2)"; "the model" for the model itself.
std::string placeText(const ModuleCallIdentity& module);

} // namespace sunder
