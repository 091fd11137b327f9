#include "draw/drawings.h"

#include "canvas/picture_export.h"
#include "canvas/timeline_painter.h"
#include "draw/offscreen_application.h"

namespace sunder::cli {

Result<void> drawTimeline(const Invocation& invocation, const PlannedSchedule& plan, const std::string& path, bool isDark)
{
    const OffscreenApplication application;
    const Theme& colors = theme(isDark);
    return invocation.timer.measure("write", [&] {
        TimelineContent content = timelineContent(plan);
        content.stages = stageLooks(plan, colors);
        const auto drawing = timelineDrawing(content, colors, timelineWidth(content));
        return invocation.outputs.write(path, [&](const std::string& at) { return exportDrawing(*drawing, at); });
    });
}

} // namespace sunder::cli
