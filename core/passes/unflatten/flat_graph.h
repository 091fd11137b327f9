#pragma once

#include "ir/program.h"
#include "passes/unflatten/unflatten.h"
#include "support/result.h"

#include <span>
#include <vector>

namespace sunder {

/// A mutation that an exported program describes as an output, converted to a copy_ call.
struct MutationCopy {
    NodeId target; ///< the placeholder to write to
    NodeId value;  ///< the value to write
    NodeId copy;   ///< the copy_ call
};

/// Positions of nodes and of their last users, per node id.
struct FlatUses {
    explicit FlatUses(const Graph& flat);
    std::vector<std::uint32_t> positions;
    std::vector<std::uint32_t> lastUse;
};

/// Returns the metadata without a storage, for a tensor in its own memory.
NodeMeta withoutStorage(NodeMeta meta);

/// Returns whether a call writes to its first argument and returns it.
bool isInPlace(const Node& node);

/// Returns whether the program has with_effects calls or token inputs.
bool hasEffectTokens(const Program& program);

/// A new node, and the node that it replaces.
struct ReplacedNode {
    NodeId made;
    NodeId original;
};

/// Replaces `with_effects(token, f, …)` by `f(…)` in all graphs, and removes tokens from inputs, outputs and signature. Returns
/// the new calls of the root graph. Linear.
std::vector<ReplacedNode> removeEffectTokens(Program& program);

/// Removes dead ops, last first, from the root graph and from the graphs of modules. Keeps calls that write, assert, draw random
/// numbers or are unknown, and calls of graphs that contain such calls. Removes assertions in unused regions if they agree with
/// the descriptions of their tensors. `asUpstream`: like PyTorch, ignores the content of graphs and removes all unused calls of
/// them. Returns the names of the removed ops, in graph order. Linear.
std::vector<InternedString> removeDeadNodes(Program& program, bool asUpstream);

/// Returns whether removeDeadNodes() would remove a node. Linear.
bool hasDeadNodes(const Program& program, bool asUpstream);

/// Returns whether neither removeDeadNodes() nor any function below would change the program. Linear.
bool isFlat(const Program& program, const UnflattenOptions& options);

/// Moves placeholders before all other nodes, in unchanged order. Needed for results of `dedup`, which start with their graphs.
/// Linear.
void putInputsFirst(Graph& graph);

/// Renames nodes of the root graph, and the names in the signature, as a copy in PyTorch does: "input" becomes "input_1". Linear.
void renameReserved(Program& program);

/// Converts mutation outputs to copy_ calls. A copy_ directly follows its value; for placeholders in `late` it directly precedes
/// the output. Users of the value use the copy afterward. Since the mutation happens first, outputs that hold the old value of a
/// late placeholder, or of one in the same memory, become clones of it; so do values written after it. If a buffer is set
/// directly to an input, the root writes it before the output. Refuses mutations of parameters that require gradients and
/// mutations without a node; with asUpstream, also those set to an input.
Result<std::vector<MutationCopy>> writeMutations(Program& program, std::span<const NodeId> late, const UnflattenOptions& options);

} // namespace sunder
