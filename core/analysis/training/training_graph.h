#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder {

/// The backward calls of a joint forward-backward program, and the forward call that each of them belongs to.
struct TrainingGraph {
    std::vector<std::uint8_t> isBackward; ///< per NodeId of the root graph: 1 for a call of the backward pass
    std::vector<NodeId> forwardOf;        ///< per NodeId of a backward call: its forward call; otherwise invalid
    std::size_t forwardCalls = 0;
    std::size_t backwardCalls = 0;
    std::size_t bySequence = 0; ///< backward calls matched by a sequence number in the file

    /// Returns whether the program is a joint one. Otherwise the tables are empty.
    [[nodiscard]] bool isTraining() const { return backwardCalls > 0 && forwardCalls > 0; }
    /// Safe for nodes outside the table.
    [[nodiscard]] bool isBackwardCall(NodeId id) const { return id.index() < isBackward.size() && isBackward[id.index()] != 0; }
};

/// Finds the backward pass of the root graph: by marks of nodes (`partitioner_tag`, `autograd_backward`); otherwise as calls
/// after the loss, or computed from tangents, that neither the loss nor another forward result depends on.
///
/// Autograd runs the backward calls of later forward calls first. Each backward call therefore belongs to the latest forward call
/// that is not later than that of the previous backward call and has the same sequence number. If the file has no sequence
/// numbers (torch.export writes none), it must have the same module stack; otherwise it must share a value with the backward
/// call: produce or consume a value or parameter that the backward call reads, or read the parameter whose gradient the backward
/// call computes. A call that shares nothing is assigned with the previous call, or with the next one if its result is larger
/// than its inputs. O(nodes + arguments).
TrainingGraph trainingGraph(const Program& program);

/// Same; fails with ErrorCode::cancelled.
Result<TrainingGraph> trainingGraph(const Program& program, ProgressMonitor& monitor);

} // namespace sunder
