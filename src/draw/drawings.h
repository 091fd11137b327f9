#pragma once

#include "cli/drawing.h"

namespace sunder::cli {

/// Draws the root graph; see Drawing::model.
Result<DrawnFiles> drawModel(const Invocation& invocation, const Program& program, const std::string& path,
                             const DrawingOptions& options);

/// Draws a timetable; see Drawing::timeline.
Result<void> drawTimeline(const Invocation& invocation, const PlannedSchedule& plan, const std::string& path, bool isDark);

} // namespace sunder::cli
