// Positions within a DagLayout, and hit tests.
#include "panes/partition_dag/dag_layout.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kLabelHeight = 18;
constexpr double kLowLabel = 14; ///< between one-line boxes
constexpr double kBesideLabel = 6; ///< from boxes to labels on their right
constexpr double kReach = 5; ///< hit distance of an edge

} // namespace

QRectF DagLayout::barOf(std::size_t box) const
{
    const QRectF& at = boxes[box];
    if (!isCompact)
        return {at.left() + 14, at.top() + 27, boxWidth - 26, 10};
    const double middle = at.top() + headHeight / 2;
    return isFar ? QRectF(at.left() + 150, middle - 5, 72, 10) : QRectF(at.left() + 100, middle - 4, 60, 8);
}

QRectF DagLayout::foldMarkOf(std::size_t box) const
{
    constexpr double kSide = 16;
    const QRectF& at = boxes[box];
    return {at.right() - kSide - 4, at.top() + (isCompact ? (headHeight - kSide) / 2 : 6.0), kSide, kSide};
}

QRectF DagLayout::labelOf(std::size_t cutEdge, double textWidth) const
{
    const double width = std::ceil(textWidth) + 16;
    const double height = isCompact ? kLowLabel : kLabelHeight;
    const CutEdgeShape& shape = cutEdges[cutEdge];
    // For a descending edge: the middle of the gap, between the handles of both boxes.
    QPointF middle = shape.towards.y() > 0 ? (shape.path.pointAtPercent(0) + shape.tip) / 2 : shape.path.pointAtPercent(0.5);
    if (isDense && shape.towards.y() > 0) {
        const double beside = std::max(boxes[shape.from].right(), boxes[shape.to].right()) + kBesideLabel;
        return {std::floor(beside), std::floor(middle.y() - height / 2), width, height};
    }
    if (isCompact && shape.towards.y() > 0) // the gap is low: a label on the edge would hide it
        middle.rx() += (shape.width + width) / 2 + kBesideLabel;
    middle.setX(std::clamp(middle.x(), width / 2 + 2, std::max(width / 2 + 2, size.width() - width / 2 - 2)));
    return {std::floor(middle.x() - width / 2), std::floor(middle.y() - height / 2), width, height};
}

QPainterPath DagLayout::sharedLine(const DagContent& content, std::size_t shared, std::size_t box) const
{
    const int maker = content.shared[shared].from;
    if (maker < 0)
        return {};
    const auto endAt = [&](std::size_t of, bool leaves) { // its chip, or else the chip that counts it, or else the box
        const QRectF* end = &boxes[of];
        for (const DagChip& chip : std::ranges::equal_range(chips, of, {}, &DagChip::box)) {
            const bool isIt = chip.shared == static_cast<int>(shared) && chip.leaves == leaves;
            if (chip.isBeside && (isIt || (chip.shared < 0 && end == &boxes[of])))
                end = &chip.rect;
        }
        return QPointF(end->right(), end->center().y());
    };
    constexpr double kCorner = 5;
    const QPointF begin = endAt(static_cast<std::size_t>(maker), true);
    const QPointF end = endAt(box, false);
    const double down = end.y() > begin.y() ? kCorner : -kCorner;
    QPainterPath path(begin);
    path.lineTo(gutter - kCorner, begin.y());
    path.quadTo(gutter, begin.y(), gutter, begin.y() + down);
    path.lineTo(gutter, end.y() - down);
    path.quadTo(gutter, end.y(), gutter - kCorner, end.y());
    path.lineTo(end);
    return path;
}

int DagLayout::boxAt(QPointF at) const
{
    const auto box = std::find_if(boxes.begin(), boxes.end(), [&](const QRectF& rect) { return rect.contains(at); });
    return box == boxes.end() ? -1 : static_cast<int>(box - boxes.begin());
}

int DagLayout::cutEdgeAt(QPointF at) const
{
    for (std::size_t i = 0; i < cutEdges.size(); ++i)
        if (cutEdges[i].label.contains(at))
            return static_cast<int>(i);
    for (std::size_t i = cutEdges.size(); i-- > 0;) {
        const CutEdgeShape& shape = cutEdges[i];
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
