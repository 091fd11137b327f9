#pragma once

#include "analysis/schedule/pipeline_order.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Returns whether each rank runs one stage of each half of the model, so that the stages go over the ranks and back.
bool goesBack(PipelineSchedule schedule);

/// Returns the actions of a rank, for sizes that the schedule accepts. `round`: micro-batches of a stage before the next stage of the rank
/// takes its turn, for interleaved schedules. O(actions).
std::vector<PipelineAction> rankActions(PipelineSchedule schedule, const PipelineSizes& sizes, std::uint32_t rank,
                                        std::uint32_t round);

} // namespace sunder
