#pragma once

#include "ir/program.h"
#include "passes/unflatten/unflatten.h"
#include "support/result.h"

#include <span>
#include <vector>

namespace sunder {

/// A mutation that an exported program describes as an output, written out as a call of copy_.
struct MutationCopy {
    NodeId target; ///< placeholder that is written
    NodeId value;  ///< what is written
    NodeId copy;   ///< the call of copy_
};

/// The same for a tensor in memory of its own.
NodeMeta withoutStorage(NodeMeta meta);

/// True for a call that writes to its first argument and gives it back: what it computes is that argument.
bool isInPlace(const Node& node);

/// True when the program has with_effects calls or token inputs.
bool hasEffectTokens(const Program& program);

/// A node that was made, and the node that it stands for.
struct ReplacedNode {
    NodeId made;
    NodeId original;
};

/// Replaces `with_effects(token, f, …)` by `f(…)` in all graphs, and takes tokens out of inputs, outputs and signature.
/// Returns the new calls of the root graph. Linear.
std::vector<ReplacedNode> removeEffectTokens(Program& program);

/// True when neither removeDeadNodes() nor one of the functions below has anything to do, on the program. Linear.
bool isFlat(const Program& program, const UnflattenOptions& options);

/// Moves placeholders before all other nodes, keeping their order: results of `dedup` start with their graphs. Linear.
void putInputsFirst(Graph& graph);

/// Renames the nodes of the root graph as a copy in torch does, in the signature too: "input" becomes "input_1". Linear.
void renameReserved(Program& program);

/// Takes the mutations out of the outputs; each becomes a copy_ of the value to what it belongs to, directly behind the
/// value, or, for the placeholders in `late`, before the output. What used the value uses the copy afterwards.
/// An output that is what such a placeholder, or one in the same memory, held before becomes a clone of it, as the
/// mutation happens first; so does a value that is written behind it. A buffer that is set to an input directly is written by
/// the root, before the output.
/// Refuses mutations of parameters that require gradients and mutations without a node; as upstream, also those set to an input.
Result<std::vector<MutationCopy>> writeMutations(Program& program, std::span<const NodeId> late, const UnflattenOptions& options);

} // namespace sunder
