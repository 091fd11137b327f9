#pragma once

#include "analysis/schedule/pipeline_order.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// The costs of a pipeline for one micro-batch, with its stages on ranks.
struct PipelineCosts {
    struct Stage {
        double forward = 0; ///< seconds
        double backward = 0; ///< seconds; half of them for the gradients of inputs, half for those of weights
        std::uint64_t kept = 0; ///< bytes from the start of the forward pass to the end of the backward pass
        std::uint64_t working = 0; ///< bytes while it runs
    };
    /// The values that a stage sends to a later one, and their gradients.
    struct Transfer {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        double forward = 0; ///< seconds over the link between the ranks; ignored between stages of one rank
        double backward = 0;
        bool hasGradient = true; ///< the backward pass of `from` waits for that of `to`
    };
    std::vector<Stage> stages = {};
    std::vector<Transfer> transfers = {};
    std::vector<std::uint64_t> held = {}; ///< per rank: bytes for the whole step, such as weights
};

/// Returns costs without a model: on each rank, a forward pass of all stages takes 1, a backward pass 2, transfers nothing.
PipelineCosts unitCosts(const PipelineOrder& order);

struct TimedAction {
    PipelineAction action;
    double start = 0; ///< seconds after the start of the step
    double end = 0;
};

struct TimedTransfer {
    std::uint32_t from = 0; ///< stage that sends
    std::uint32_t to = 0;   ///< stage that receives; less than `from` for gradients
    std::uint32_t microBatch = 0;
    double start = 0;
    double end = 0;
    [[nodiscard]] bool isGradient() const { return to < from; }
};

/// The memory of a rank from a time on.
struct MemoryAt {
    double time = 0;
    std::uint64_t bytes = 0;
};

/// The limit of a rank: its largest share of the step, or its memory.
enum class RankBinding : std::uint8_t { compute, transfer, bubble, memory };

/// Returns "compute", "transfer", "bubble", or "memory".
std::string_view name(RankBinding binding);

struct RankTimes {
    double busy = 0; ///< seconds of compute
    double waitsForTransfer = 0; ///< idle seconds while the awaited value was on its way, or waited for a busy link
    double bubble = 0; ///< the other idle seconds of the step
    double sends = 0; ///< seconds in which the send lane is in use
    double receives = 0;
    std::uint64_t inFlight = 0; ///< most chunks that wait for their backward pass
    std::uint64_t peakBytes = 0;

    /// Returns the largest share of the step; memory if less than a twentieth of `available` bytes is free.
    [[nodiscard]] RankBinding binding(std::optional<double> available = {}) const;
};

/// A step of a pipeline in time.
struct Timetable {
    std::vector<std::vector<TimedAction>> actions = {}; ///< per rank, in order; the halves of a pair one after the other
    std::vector<TimedTransfer> transfers = {}; ///< between different ranks, in order of start
    std::vector<std::vector<MemoryAt>> memory = {}; ///< per rank, in order of time
    std::vector<RankTimes> ranks = {};
    double step = 0;   ///< seconds until the last action ends
    double bubble = 0; ///< share of ranks × step without compute
};

/// Simulates a step. An action starts once the previous one of its rank has ended and its inputs have arrived. A transfer starts once
/// the producing action has ended, and both the send lane of one rank and the receive lane of the other are free; earlier results
/// go first. O(actions · log(ranks) + transfers · log(transfers in flight)).
Timetable timetable(const PipelineOrder& order, const PipelineCosts& costs);

/// Figures of a pipeline that runs forward passes only.
struct InferenceFigures {
    double latency = 0; ///< seconds of one micro-batch through an idle pipeline
    double interval = 0; ///< seconds between two micro-batches in the steady state
    std::uint32_t slowest = 0; ///< rank that determines the interval
    bool isTransfer = false; ///< its send or receive lane, not its compute
    /// Returns micro-batches per second in the steady state; 0 if the stages take no time.
    [[nodiscard]] double throughput() const { return interval > 0 ? 1 / interval : 0; }
};

/// Returns the figures for an order of PipelineSchedule::inference. O(stages + transfers).
InferenceFigures inferenceFigures(const PipelineOrder& order, const PipelineCosts& costs);

} // namespace sunder
