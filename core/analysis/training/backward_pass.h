#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// The marks of PyTorch's AOTAutograd on a node of a joint program.
struct TrainingMark {
    std::optional<std::int64_t> sequence; ///< `seq_nr`: equal for a forward call and its backward calls
    std::optional<bool> isBackward;       ///< `partitioner_tag`, `autograd_backward`
    bool isSum = false; ///< `is_gradient_acc`: sums gradients; its sequence number is that of an earlier call
};

/// Returns the marks of a node; empty if it has none. O(length of its metadata).
TrainingMark trainingMark(const Node& node);

/// Returns, per NodeId of the root graph, 1 for a call of the backward pass; empty if the program is not a joint one. `marks`:
/// per NodeId. O(nodes + arguments).
std::vector<std::uint8_t> backwardPass(const Program& program, const std::vector<TrainingMark>& marks);

} // namespace sunder
