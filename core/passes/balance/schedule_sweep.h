#pragma once

#include "analysis/schedule/pipeline_model.h"
#include "passes/balance/balance_program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

struct SweepOptions {
    std::vector<PipelineSchedule> schedules = {};
    std::vector<std::uint32_t> microBatches = {};
    std::vector<std::uint32_t> stages = {}; ///< numbers of stages; the model is balanced for each
    std::optional<TagAssignment> tags = {}; ///< this cut only, instead of `stages`
    PipelineModelOptions model = {};
    double timeLimit = 1; ///< seconds to balance a cut, as in BalanceOptions
};

/// A combination with its figures, or the reason why it cannot run.
struct SweepRow {
    PipelineSchedule schedule = PipelineSchedule::gpipe;
    PipelineSizes sizes = {};
    std::size_t cut = 0; ///< index into Sweep::cuts
    double step = 0;
    double throughput = 0; ///< micro-batches per second; for inference in the steady state
    double bubble = 0;
    std::uint64_t peakBytes = 0; ///< of the rank with the largest share of its memory in use
    bool fits = true; ///< all ranks within their memory
    RankBinding binds = RankBinding::compute; ///< of the busiest rank; memory if some rank is full
    std::string refusal = {}; ///< empty if it can run
};

/// A cut of a sweep.
struct SweepCut {
    TagAssignment tags;
    PipelineModel model;
};

/// Schedules, micro-batches, and stages side by side.
struct Sweep {
    std::vector<SweepRow> rows; ///< by stages, then schedule, then micro-batches
    std::vector<SweepCut> cuts;
    std::optional<std::size_t> best; ///< the row that fits with the highest throughput; of equal ones, that with the least memory
};

/// Computes the timetable of every combination. Numbers of stages that a schedule cannot run on the given devices, or only on a single
/// rank, are left out; other refusals are rows. Equal cuts are balanced once. Refuses more than 10,000 combinations.
Result<Sweep> scheduleSweep(const Program& program, const SweepOptions& options,
                            ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
