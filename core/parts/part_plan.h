#pragma once

#include "ir/program.h"
#include "passes/split_result.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The assignment of ops of an exported program's root graph to parts, and the values passed between parts. It follows the split,
/// with two exceptions: items of a multi-result op belong to the part of that op, and each part recomputes the bools, floats, and
/// known numbers that it needs, because an exported program cannot take them as inputs.
struct PartPlan {
    std::vector<std::int32_t> partOf; ///< per NodeId: the part of an op; -1 for other nodes
    /// Per part: ops (including recomputed ones) and attributes of nested graphs, in graph order.
    std::vector<std::vector<NodeId>> calls;
    std::vector<std::vector<NodeId>> inputs; ///< per part: placeholders and values of other parts that it takes
    std::vector<std::vector<NodeId>> lifted; ///< per part: placeholders of parameters, buffers, constants, objects
    std::vector<std::vector<NodeId>> outputs; ///< per part: its results, without duplicates
    std::vector<std::vector<std::uint32_t>> writes; ///< per part: signature outputs that write to a buffer, parameter, or input
};

/// Plans the parts of an exported program without effect tokens from its split. Fails, naming the node, for values that parts
/// cannot take or return. separateCut() decides whether separate parts are equivalent. Linear in nodes and arguments.
Result<PartPlan> planParts(const Program& source, const SplitResult& split);

/// Returns, per NodeId of the root graph, the index of a placeholder's entry in the signature; -1 for other nodes.
std::vector<std::int32_t> signatureInputs(const Program& program);

} // namespace sunder
