#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pipeline schedule of torch.distributed.pipelining; `inference` has forward passes only.
enum class PipelineSchedule : std::uint8_t {
    gpipe,
    oneForwardOneBackward,
    loopedBfs,
    interleaved1F1B,
    interleavedZeroBubble,
    zbvZeroBubble,
    dualPipeV,
    inference,
};

/// Returns PyTorch's name: "Interleaved1F1B".
std::string_view name(PipelineSchedule schedule);

/// Returns the schedules of a training step, in the order of the enumeration.
std::span<const PipelineSchedule> trainingSchedules();

/// Returns the schedule with this name, ignoring case. The error lists the names.
Result<PipelineSchedule> parsePipelineSchedule(std::string_view text);

/// Returns whether every rank runs exactly one stage.
bool hasOneStagePerRank(PipelineSchedule schedule);

/// The sizes of a pipeline.
struct PipelineSizes {
    std::uint32_t ranks = 1;
    std::uint32_t stages = 1;
    std::uint32_t microBatches = 1; ///< of a step
};

/// Returns the sizes for a number of stages. Without `ranks`, schedules with several stages per rank have two; those that allow
/// one have one if the number of stages is odd. Refuses numbers of ranks and stages that do not match the schedule.
Result<PipelineSizes> pipelineSizes(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t microBatches,
                                    std::optional<std::uint32_t> ranks = {});

enum class ActionKind : std::uint8_t {
    forward,
    backward, ///< gradients of inputs and weights
    inputGradient,
    weightGradient,
};

/// The work of a stage on a micro-batch.
struct PipelineAction {
    std::uint32_t stage = 0;
    std::uint32_t microBatch = 0;
    ActionKind kind = ActionKind::forward;
    bool overlapsNext = false; ///< the first half of an overlapped pair; the second half follows
    friend bool operator==(const PipelineAction&, const PipelineAction&) = default;
};

/// Returns "2F0", "1B3", "1I3", or "1W3", without the other half of a pair.
std::string describe(const PipelineAction& action);

/// The actions of all ranks, in order.
struct PipelineOrder {
    PipelineSchedule schedule = PipelineSchedule::gpipe;
    PipelineSizes sizes = {};
    std::vector<std::uint32_t> rankOf = {}; ///< per stage
    std::vector<std::vector<PipelineAction>> ranks = {};

    [[nodiscard]] std::size_t actionCount() const;
    /// Returns per stage the largest number of micro-batches that wait for their backward pass.
    [[nodiscard]] std::vector<std::uint64_t> inFlightOfStages() const;
};

/// Returns the actions of a rank as PyTorch writes them: "2F0", "(0F3;3B1)OVERLAP_F_B".
std::vector<std::string> actionTexts(std::span<const PipelineAction> actions);

/// Returns the order of actions that PyTorch 2.13 executes. Refuses sizes that PyTorch refuses, and more than 8,192 stages or 20 million
/// actions. O(actions).
Result<PipelineOrder> pipelineOrder(PipelineSchedule schedule, const PipelineSizes& sizes);

} // namespace sunder
