#pragma once

#include "ir/program.h"
#include "passes/split_result.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Which calls of an exported program's root graph each part contains, and which values pass between parts: as in the split, except
/// that items of a call with several results are taken in the part of the call, and that each part recomputes the bools, floats, and
/// known numbers that it needs, since an exported program cannot take them as inputs.
struct PartPlan {
    std::vector<std::int32_t> partOf; ///< per NodeId: part of a call; -1 otherwise
    std::vector<std::vector<NodeId>> calls; ///< per part: calls and attributes of nested graphs, in graph order,
        ///< recomputed ones included
    std::vector<std::vector<NodeId>> inputs; ///< per part: placeholders and values of other parts that it takes
    std::vector<std::vector<NodeId>> lifted; ///< per part: placeholders of parameters, buffers, constants, objects
    std::vector<std::vector<NodeId>> outputs; ///< per part: its results, without repeats
    std::vector<std::vector<std::uint32_t>> writes; ///< per part: entries of the signature's outputs that write to a
        ///< buffer, a parameter or an input
};

/// Plans the parts of an exported program without effect tokens from its split. Refuses values that no part can take or return,
/// naming the node. separateCut() decides whether separate parts compute the same. Linear in nodes and arguments.
Result<PartPlan> planParts(const Program& source, const SplitResult& split);

/// Per NodeId of the root graph: the entry of the signature that its placeholder belongs to; -1 for other nodes.
std::vector<std::int32_t> signatureInputs(const Program& program);

} // namespace sunder
