#pragma once

#include "canvas/drawing.h"
#include "canvas/timeline_scale.h"

#include <memory>
#include <vector>

class QPainter;

namespace sunder {

/// The marks of a view in a timeline.
struct TimelineMarks {
    TimelinePlace current = {}; ///< its micro-batch is outlined in all lanes
    TimelinePlace hovered = {};
    std::vector<char> selectedStages = {}; ///< per stage; empty: none
    bool hasFocus = false;
};

/// The color of an action, also as parts between 0 and 1 for mixing.
struct TimelineFill {
    QColor color = {}; ///< invalid: not computed yet
    float red = 0;
    float green = 0;
    float blue = 0;
};

/// Paints a timeline. Actions narrower than two pixels are mixed into a color per column, so that the number of painted shapes is
/// bounded by the pixels of the lanes.
class TimelinePainter final {
public:
    TimelinePainter(QPainter& painter, const Theme& theme, const TimelineContent& content, const TimelineScale& scale,
                    const TimelineMarks& marks);

    /// Paints the lanes within `part`, without names and axis.
    void paintLanes(const QRectF& part);
    /// Paints the time axis from `left` to `right`, over the lanes.
    void paintAxis(double left, double right);
    /// Paints the column of device names, starting at `left`, over the lanes.
    void paintNames(double left, double bottom);

private:
    void paintLane(std::uint32_t rank, const QRectF& part);
    void paintIdle(const QRectF& row);
    void paintRow(std::uint32_t rank, TimelineRow row, const QRectF& part);
    void paintAction(TimelinePlace place, const QRectF& rect);
    void paintHatch(const QRectF& rect, ActionKind kind, const QColor& color);
    void paintLabel(TimelinePlace place, const QRectF& rect, const QColor& ground);
    void paintMarks(TimelinePlace place, const QRectF& rect);
    void paintMemory(std::uint32_t rank, const QRectF& part);
    [[nodiscard]] QPolygonF memoryCurve(std::uint32_t rank, const QRectF& row, double top) const;
    void paintGrid(const QRectF& part);
    const TimelineFill& fillOf(TimelinePlace place);

    QPainter& m_painter;
    const Theme& m_theme;
    const TimelineContent& m_content;
    const TimelineScale& m_scale;
    const TimelineMarks& m_marks;
    std::vector<TimelineFill> m_fills; ///< by stage and kind
    bool m_hasSeveralStages = false; ///< per rank
};

/// Returns the text of a tick of an axis with this distance between ticks: "12.5 ms".
QString tickText(double time, double distance, bool isInSeconds);
/// Returns the distance between ticks, 1, 2, or 5 times a power of ten, for at least `least` seconds.
double tickDistance(double least);

/// Returns the whole timeline as a picture of this width, with title, figures, and legend. `seen`: visible times in seconds.
std::shared_ptr<const Drawing> timelineDrawing(const TimelineContent& content, const Theme& theme, double width,
                                               std::optional<TimeSpan> seen = {});
/// Returns a width at which actions are readable, within limits.
double timelineWidth(const TimelineContent& content);

} // namespace sunder
