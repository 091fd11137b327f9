// Places within a DagLayout, and what lies at a place.
#include "panes/partition_dag/dag_layout.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kLabelHeight = 18;
constexpr double kReach = 5; ///< a ribbon is hit this near

} // namespace

QRectF DagLayout::barOf(std::size_t box) const
{
    const QRectF& at = boxes[box];
    if (!isCompact)
        return {at.left() + 14, at.top() + 27, kBoxWidth - 26, 10};
    return isFar ? QRectF(at.left() + 150, at.top() + 8, 72, 10) : QRectF(at.left() + 100, at.top() + 9, 60, 8);
}

QRectF DagLayout::foldMarkOf(std::size_t box) const
{
    constexpr double kSide = 16;
    const QRectF& at = boxes[box];
    return {at.right() - kSide - 4, at.top() + (isCompact ? 5.0 : 6.0), kSide, kSide};
}

QRectF DagLayout::labelOf(std::size_t ribbon, double textWidth) const
{
    const double width = std::ceil(textWidth) + 16;
    const RibbonShape& shape = ribbons[ribbon];
    // Of one that descends the middle of the gap, between the handles of both boxes.
    QPointF middle = shape.towards.y() > 0 ? (shape.path.pointAtPercent(0) + shape.tip) / 2 : shape.path.pointAtPercent(0.5);
    middle.setX(std::clamp(middle.x(), width / 2 + 2, std::max(width / 2 + 2, size.width() - width / 2 - 2)));
    return {std::floor(middle.x() - width / 2), std::floor(middle.y() - kLabelHeight / 2), width, kLabelHeight};
}

int DagLayout::boxAt(QPointF at) const
{
    const auto box = std::find_if(boxes.begin(), boxes.end(), [&](const QRectF& rect) { return rect.contains(at); });
    return box == boxes.end() ? -1 : static_cast<int>(box - boxes.begin());
}

int DagLayout::ribbonAt(QPointF at) const
{
    for (std::size_t i = 0; i < ribbons.size(); ++i)
        if (ribbons[i].label.contains(at))
            return static_cast<int>(i);
    for (std::size_t i = ribbons.size(); i-- > 0;) {
        const RibbonShape& shape = ribbons[i];
        const double reach = std::max(kReach, shape.width / 2 + 1);
        if (!shape.path.controlPointRect().adjusted(-reach, -reach, reach, reach).contains(at))
            continue;
        constexpr int kSteps = 24;
        for (int step = 0; step <= kSteps; ++step) {
            const QPointF off = shape.path.pointAtPercent(step / static_cast<double>(kSteps)) - at;
            const double near = std::max(reach, shape.path.length() / (2 * kSteps));
            if (off.x() * off.x() + off.y() * off.y() <= near * near)
                return static_cast<int>(i);
        }
    }
    return -1;
}

double DagLayout::rowAt(double y) const
{
    const auto after = std::partition_point(boxes.begin(), boxes.end(), [&](const QRectF& box) { return box.top() <= y; });
    const auto row = static_cast<double>(after - boxes.begin());
    const double above = after == boxes.begin() ? 0 : (after - 1)->top();
    const double below = after == boxes.end() ? size.height() : after->top();
    return below > above ? row + (y - above) / (below - above) : row;
}

double DagLayout::yOf(double row) const
{
    const auto at = std::min(static_cast<std::size_t>(std::max(0.0, row)), boxes.size());
    const double above = at == 0 ? 0 : boxes[at - 1].top();
    const double below = at == boxes.size() ? size.height() : boxes[at].top();
    return above + (row - static_cast<double>(at)) * (below - above);
}

} // namespace sunder
