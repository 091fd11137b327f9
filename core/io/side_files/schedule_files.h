#pragma once

#include "analysis/schedule/timetable.h"

#include <span>
#include <string>

namespace sunder {

/// Returns a line per rank with one action per cell, as `_PipelineScheduleRuntime._load_csv` of torch.distributed.pipelining reads it
/// (format "compute_only").
std::string scheduleCsv(const PipelineOrder& order);

/// Returns a Chrome trace of a step, for Perfetto and chrome://tracing: a process per rank with the threads compute, send, and
/// receive, flows from send to receive, and a memory counter. `names` has the names of the ranks' devices, or nothing.
std::string scheduleTrace(const PipelineOrder& order, const Timetable& times, std::span<const std::string> names);

} // namespace sunder
