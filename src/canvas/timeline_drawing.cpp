// A timeline as a whole picture.
#include "canvas/label_painter.h"
#include "canvas/timeline_painter.h"

#include <QPainter>

#include <algorithm>

namespace sunder {

double timelineWidth(const TimelineContent& content)
{
    constexpr double kActionWidth = 26;
    constexpr double kLeastWidth = 1000;
    constexpr double kMostWidth = 12'000;
    std::size_t most = 0;
    for (std::uint32_t rank = 0; rank < content.rankCount(); ++rank)
        most = std::max(most, countIn(content, rank, TimelineRow::compute));
    return std::clamp(kActionWidth * static_cast<double>(most), kLeastWidth, kMostWidth);
}

std::shared_ptr<const Drawing> timelineDrawing(const TimelineContent& content, const Theme& theme, double width,
                                               std::optional<TimeSpan> seen)
{
    constexpr double kTitle = 44;
    constexpr double kPicturePadding = 3;
    constexpr double kLegend = 22;
    TimelineScale scale = TimelineScale::fitting(content, 0);
    scale.memory = scale.memory > 0 ? 40 : 0;
    scale.top = kTitle;
    scale.perSecond = content.step() > 0 ? (width - TimelineScale::kNames) / content.step() : 1;
    const double bottom = scale.contentHeight(content);
    const QSizeF size(width, bottom + kLegend);
    QRectF visible(QPointF(), size);
    if (seen) {
        visible.setLeft(scale.x(seen->start) - TimelineScale::kNames);
        visible.setRight(std::min(width, scale.x(seen->end)));
    }
    return std::make_shared<const Drawing>(
        Drawing{size, visible, theme.canvas, [content, colors = &theme, scale, size, bottom](QPainter& painter) {
                    const QRectF part = painter.clipBoundingRect().intersected(QRectF(QPointF(), size));
                    const TimelineMarks marks;
                    TimelinePainter timeline(painter, *colors, content, scale, marks);
                    timeline.paintLanes({part.left(), scale.lanesTop(), part.width(), bottom - scale.lanesTop()});
                    timeline.paintAxis(part.left(), part.right());
                    timeline.paintNames(part.left(), bottom);
                    LabelPainter labels(painter);
                    const PictureFonts& fonts = pictureFonts();
                    const double room = part.width() - 2 * kPicturePadding;
                    const double left = part.left() + kPicturePadding;
                    labels.paint(titleOf(*content.plan), fonts.title, 1.2, {left, 16}, room, colors->text);
                    labels.paint(figuresOf(*content.plan), fonts.detail, 1.1, {left, 34}, room, colors->dim);
                    labels.paint(timelineLegend(*content.plan), fonts.detail, 1, {left, bottom + 15}, room, colors->dim);
                }});
}

} // namespace sunder
