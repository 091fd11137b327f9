#pragma once

#include "analysis/cost/node_seconds.h"
#include "analysis/device.h"
#include "analysis/schedule/timetable.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

struct PipelineModelOptions {
    std::vector<Device> devices = {}; ///< of the ranks, in order; empty: equal devices without a memory limit
    MeasuredCosts measured = {};
    std::uint64_t statesPerParameter = 0; ///< numbers that the optimizer keeps for each parameter
};

/// The figures of the stages of a cut for one micro-batch, before the stages have ranks. A value: schedules, micro-batches, and ranks
/// change without another look at the program.
struct PipelineModel {
    struct Stage {
        std::string name; ///< tag
        std::uint64_t ops = 0;
        std::vector<double> forward = {}; ///< seconds, per kind of device
        std::vector<double> backward = {}; ///< likewise
        std::uint64_t weights = 0; ///< bytes, with extra memory
        std::uint64_t gradients = 0;
        std::uint64_t optimizer = 0;
        std::uint64_t kept = 0; ///< for the backward pass
        std::uint64_t working = 0; ///< inputs and the peak of its results
    };
    /// The values that a stage sends to another one in one direction.
    struct Load {
        double bytes = 0; ///< of values without a measured time
        std::uint32_t values = 0; ///< number of these
        double measured = 0; ///< seconds of the others
    };
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        Load forward = {};
        Load backward = {};
        bool hasGradient = false;
    };
    /// Weights that several stages read.
    struct SharedWeight {
        std::uint64_t bytes = 0;
        std::vector<std::uint32_t> stages = {}; ///< ascending
    };
    std::vector<Stage> stages = {}; ///< in the order of tags
    std::vector<Edge> edges = {};
    std::vector<SharedWeight> sharedWeights = {};
    std::vector<Device> devices = {}; ///< as given; if none were given, a single one, equal to all ranks
    std::vector<std::uint32_t> kindOf = {}; ///< per device
    bool hasDevices = false; ///< they were given
    bool hasMeasuredBackward = false; ///< the program has a backward pass of its own
    std::vector<std::string> assumptions = {}; ///< sentences without a full stop
    std::vector<std::string> trainingAssumptions = {}; ///< further ones for schedules with backward passes

    [[nodiscard]] std::vector<std::string> assumptionsFor(PipelineSchedule schedule) const;

    /// Returns the device of a rank.
    [[nodiscard]] const Device& deviceOf(std::uint32_t rank) const { return devices[hasDevices ? rank : 0]; }
    /// Returns the available bytes of a rank; nothing without a limit.
    [[nodiscard]] std::optional<double> availableOf(std::uint32_t rank) const;
};

/// Measures the stages of a cut. A backward pass takes twice the seconds of the forward pass; in a joint program it takes the seconds
/// of its calls. Memory is that of memoryReport(). Returns ErrorCode::refused, with names, for untagged calls, values that go to
/// an earlier stage, and calls without seconds. O(nodes + arguments), and the costs of nodes for each kind of device.
Result<PipelineModel> pipelineModel(const Program& program, TagAssignment tags, const PipelineModelOptions& options,
                                    ProgressMonitor& monitor = ProgressMonitor::none());

/// Places the stages on the ranks of an order. Each stage waits for the previous one, and for the gradients of the next one, as in
/// PyTorch, even if no value passes between them. Refuses fewer devices than ranks, and another number of stages.
/// O(stages + edges).
Result<PipelineCosts> placedCosts(const PipelineModel& model, const PipelineOrder& order);

} // namespace sunder
