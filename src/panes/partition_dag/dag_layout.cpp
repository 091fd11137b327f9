#include "panes/partition_dag/dag_layout.h"

#include "canvas/label_painter.h"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

constexpr std::size_t kMostTallBoxes = 14;
constexpr double kMargin = 8;
constexpr double kLaneTitle = 88;   ///< column of the devices' names
constexpr double kBoxWidth = 236;
constexpr double kMostStep = 150;   ///< of one box to the right of the one before
constexpr double kLanePad = 8;
constexpr double kLeastChannel = 12;
constexpr double kChannel = 100;    ///< room for ribbons that pass boxes on the left
constexpr double kBackChannel = 116;
constexpr double kLabelHeight = 18;
constexpr double kIdleLane = 28;
constexpr double kWidest = 16;      ///< of the largest ribbon
constexpr double kNarrowest = 1.5;
constexpr double kWidestPassing = 4;
constexpr double kHead = 8;        ///< the arrow's; the middle line ends where it begins
constexpr double kReach = 5;        ///< a ribbon is hit this near
constexpr std::size_t kMostLabels = 200;

struct Heights {
    double box;
    double gap;
};

class LayoutOf {
public:
    LayoutOf(const DagContent& content, double width) : m_content(content), m_width(width)
    {
        m_layout.isCompact = content.boxes.size() > kMostTallBoxes;
        m_heights = m_layout.isCompact ? Heights{26, 12} : Heights{60, 34};
        for (const DagRibbon& ribbon : content.ribbons)
            if (ribbon.isBackward)
                m_hasBackward = true;
            else if (ribbon.to > ribbon.from + 1)
                m_longest = std::max(m_longest, ribbon.to - ribbon.from);
    }

    DagLayout make()
    {
        placeBoxes();
        placeLanes();
        for (const DagRibbon& ribbon : m_content.ribbons)
            m_layout.ribbons.push_back(shapeOf(ribbon));
        if (!m_layout.isCompact)
            placeLabels();
        return std::move(m_layout);
    }

private:
    void placeBoxes()
    {
        const double left = kMargin + (hasTitles() ? kLaneTitle : 0) + (m_longest > 0 ? kChannel : kLeastChannel);
        const double right = kMargin + (m_hasBackward ? kBackChannel : kLanePad);
        const auto steps = static_cast<double>(std::max<std::size_t>(1, m_content.boxes.size()) - 1);
        const double room = std::max(0.0, m_width - left - right - kBoxWidth);
        const double step = steps > 0 ? std::min(kMostStep, room / steps) : 0;
        m_layout.size.setWidth(std::max(m_width, left + kBoxWidth + right));
        double y = kMargin;
        for (std::size_t i = 0; i < m_content.boxes.size(); ++i) {
            const bool opensLane = i == 0 || m_content.boxes[i].lane != m_content.boxes[i - 1].lane;
            if (i > 0)
                y += m_heights.gap;
            else if (opensLane)
                y += kLanePad;
            m_layout.boxes.emplace_back(std::floor(left + step * static_cast<double>(i)), y, kBoxWidth, m_heights.box);
            y += m_heights.box;
        }
        m_bottom = y + kLanePad;
    }

    /// Lanes meet in the middle between two boxes.
    void placeLanes()
    {
        double y = kMargin;
        for (const DagLane& lane : m_content.lanes) {
            const bool isIdle = lane.begin == lane.end;
            const bool isLast = lane.end == m_content.boxes.size();
            const double bottom = isIdle ? y + kIdleLane : isLast ? m_bottom : m_layout.boxes[lane.end - 1].bottom() + m_heights.gap / 2;
            m_layout.lanes.emplace_back(kMargin, y, m_layout.size.width() - 2 * kMargin, bottom - y);
            y = bottom;
        }
        m_layout.size.setHeight(y + kMargin);
    }

    [[nodiscard]] bool hasTitles() const
    {
        return std::any_of(m_content.lanes.begin(), m_content.lanes.end(), [](const DagLane& lane) { return !lane.name.isEmpty(); });
    }

    [[nodiscard]] DagLayout::RibbonShape shapeOf(const DagRibbon& ribbon) const
    {
        const QRectF& from = m_layout.boxes[ribbon.from];
        const QRectF& to = m_layout.boxes[ribbon.to];
        DagLayout::RibbonShape shape;
        shape.width = std::max(kNarrowest, ribbon.share * std::min(kWidest, m_heights.gap));
        if (ribbon.isBackward)
            pass(shape, {from.right(), from.top() + from.height() * 0.3}, {to.right(), to.top() + to.height() * 0.7},
                 std::max(from.right(), to.right()) + bulge(ribbon.from - ribbon.to), -1);
        else if (ribbon.to > ribbon.from + 1)
            pass(shape, {from.left(), from.top() + from.height() * 0.7}, {to.left(), to.top() + to.height() * 0.3},
                 std::min(from.left(), to.left()) - bulge(ribbon.to - ribbon.from), 1);
        else
            descend(shape, from, to);
        if (m_layout.isCompact && ribbon.to != ribbon.from + 1)
            shape.width = std::min(shape.width, kWidestPassing); // dozens of them lie side by side
        return shape;
    }

    /// Further out the more boxes it passes.
    [[nodiscard]] double bulge(std::size_t span) const
    {
        const auto longest = static_cast<double>(std::max<std::size_t>(m_longest, 2));
        return 24 + (kChannel - 20) * std::min(1.0, static_cast<double>(span - 1) / longest);
    }

    static void pass(DagLayout::RibbonShape& shape, QPointF begin, QPointF end, double x, double inwards)
    {
        const QPointF neck = end - QPointF(inwards * kHead, 0);
        shape.path.moveTo(begin);
        shape.path.cubicTo(QPointF(x, begin.y()), QPointF(x, end.y()), neck);
        shape.tip = end;
        shape.towards = {inwards, 0};
    }

    void descend(DagLayout::RibbonShape& shape, const QRectF& from, const QRectF& to) const
    {
        const QPointF begin(from.left() + from.width() * 0.62, from.bottom());
        const double inset = to.width() * 0.12; // straight down where the steps are small
        const QPointF end(std::clamp(begin.x(), to.left() + inset, to.right() - inset), to.top());
        const QPointF neck = end - QPointF(0, std::min(kHead, m_heights.gap / 2));
        const double bend = m_heights.gap * 0.5;
        shape.path.moveTo(begin);
        shape.path.cubicTo(begin + QPointF(0, bend), neck - QPointF(0, bend), neck);
        shape.tip = end;
        shape.towards = {0, 1};
    }

    /// Largest first; what would cover another label or a box has none.
    void placeLabels()
    {
        std::vector<std::size_t> order(m_content.ribbons.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const DagRibbon& first = m_content.ribbons[a];
            const DagRibbon& second = m_content.ribbons[b];
            return first.isBackward != second.isBackward ? first.isBackward : first.share > second.share;
        });
        std::vector<QRectF> taken;
        for (const std::size_t i : order) {
            if (taken.size() > kMostLabels)
                break;
            const QRectF label = m_layout.labelOf(i, LabelPainter::width(m_content.ribbons[i].label, pictureFonts().detail, 1));
            const auto overlaps = [&](const QRectF& other) { return other.adjusted(-2, -2, 2, 2).intersects(label); };
            if (std::any_of(taken.begin(), taken.end(), overlaps)
                || std::any_of(m_layout.boxes.begin(), m_layout.boxes.end(), [&](const QRectF& box) { return box.intersects(label); }))
                continue;
            m_layout.ribbons[i].label = label;
            taken.push_back(label);
        }
    }

    const DagContent& m_content;
    double m_width;
    Heights m_heights = {};
    std::size_t m_longest = 0; ///< boxes from one end of the longest forward ribbon to the other; 0: none passes a box
    bool m_hasBackward = false;
    double m_bottom = 0;
    DagLayout m_layout;
};

} // namespace

QRectF DagLayout::barOf(std::size_t box) const
{
    const QRectF& at = boxes[box];
    return isCompact ? QRectF(at.left() + 100, at.top() + 9, 60, 8) : QRectF(at.left() + 14, at.top() + 26, at.width() - 26, 10);
}

QRectF DagLayout::labelOf(std::size_t ribbon, double textWidth) const
{
    const double width = std::ceil(textWidth) + 16;
    QPointF middle = ribbons[ribbon].path.pointAtPercent(0.5);
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

DagLayout layOut(const DagContent& content, double width)
{
    return LayoutOf(content, width).make();
}

} // namespace sunder
