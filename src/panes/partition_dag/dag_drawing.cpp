#include "panes/partition_dag/dag_drawing.h"

#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_painter.h"

#include <algorithm>

namespace sunder {

std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen)
{
    constexpr double kTotals = 24; ///< below the boxes
    constexpr double kPad = 12;
    if (content.boxes.empty())
        return nullptr;
    const auto held = std::make_shared<const DagContent>(std::move(content));
    const Theme& theme = currentTheme();
    const DagLayout layout = layOut(*held, {.width = width, .zoom = std::max(1.0, zoom)});
    const double totals = LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 2 * kPad;
    const QSizeF size(std::max(layout.size.width(), totals), layout.size.height() + kTotals);
    const auto paint = [held, layout, &theme](QPainter& painter) {
        const DagDecorations marks;
        DagPainter(painter, theme, *held, layout, marks).paint(QRectF(QPointF(), layout.size));
        LabelPainter(painter).paint(held->totals, pictureFonts().detail, 1.1, {kPad, layout.size.height() + kTotals - 10},
                                    LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 1, theme.text);
    };
    return std::make_shared<const Drawing>(
        Drawing{.size = size, .seen = seen.intersected(QRectF(QPointF(), size)), .background = theme.canvas, .paint = paint});
}

} // namespace sunder
