#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder {

/// Which calls of a joint forward and backward program compute gradients, and which forward call each of them belongs to.
struct TrainingGraph {
    std::vector<std::uint8_t> isBackward; ///< per NodeId of the root graph: 1 for a call of the backward pass
    std::vector<NodeId> forwardOf;        ///< per NodeId: of a backward call the forward call; invalid for all others
    std::size_t forwardCalls = 0;
    std::size_t backwardCalls = 0;
    std::size_t bySequence = 0; ///< backward calls whose forward call the file names by its sequence number

    /// False of everything but a joint program: all questions about it then have no answer.
    [[nodiscard]] bool isTraining() const { return backwardCalls > 0 && forwardCalls > 0; }
    /// Safe for nodes that the table does not reach.
    [[nodiscard]] bool isBackwardCall(NodeId id) const { return id.index() < isBackward.size() && isBackward[id.index()] != 0; }
};

/// Finds the backward pass of the root graph: by what the nodes say (`partitioner_tag`, `autograd_backward`), else as what stands
/// behind the loss, or is computed from tangents, and neither the loss nor another result of the forward pass needs.
/// Autograd runs the backward calls of later forward calls first. So each backward call belongs to the latest forward call that is
/// not later than that of the backward call in front of it and that has its sequence number; where the file keeps none (torch.export
/// keeps none), that has its module stack; else that shares something with it: gave or read a value or a parameter that it reads, or
/// reads the parameter whose gradient it is. What shares nothing belongs to where the call in front of it does.
/// O(nodes + arguments). Nothing once `monitor` was cancelled.
TrainingGraph trainingGraph(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
