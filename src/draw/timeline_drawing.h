#pragma once

#include "cli/drawing.h"

namespace sunder::cli {

/// Draws a timetable; see Drawing::timeline.
Result<void> drawTimeline(const Invocation& invocation, const PlannedSchedule& plan, const std::string& path, bool isDark);

} // namespace sunder::cli
