#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// What a node says of itself in a joint program that PyTorch's AOTAutograd made.
struct TrainingMark {
    std::optional<std::int64_t> sequence; ///< `seq_nr`: equal of a forward call and of the backward calls that belong to it
    std::optional<bool> isBackward;       ///< `partitioner_tag`, `autograd_backward`
    bool isSum = false; ///< `is_gradient_acc`: sums gradients, and its sequence number is that of what was done before
};

/// Nothing where the node says nothing of the kind. O(length of what it says).
TrainingMark trainingMark(const Node& node);

/// Per NodeId of the root graph: 1 for a call of the backward pass; none where the program is no joint one. `marks`: per NodeId.
/// O(nodes + arguments).
std::vector<std::uint8_t> backwardPass(const Program& program, const std::vector<TrainingMark>& marks);

} // namespace sunder
