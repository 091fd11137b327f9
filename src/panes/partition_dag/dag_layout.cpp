#include "panes/partition_dag/dag_layout.h"

#include "canvas/label_painter.h"
#include "panes/partition_dag/dag_heights.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kDagMargin = 8;
constexpr double kWidestTitle = 84;  ///< of a device's name
constexpr double kTitlePad = 8;
constexpr double kMaxStep = 150;   ///< horizontal offset of a box from the previous one
constexpr double kLanePad = 8;
constexpr double kMinChannel = 12;
constexpr double kChannel = 100;    ///< for edges that pass boxes on the left
constexpr double kBackChannel = 116;
constexpr double kLowChannel = 72;   ///< the same for one-line boxes, whose labels are short
constexpr double kBesideGap = 8;     ///< between a box and the chips to its right
constexpr double kGutter = 16;       ///< for lines to the right of these chips
constexpr double kMinBeside = 40;  ///< for "+12"
constexpr double kBesideLabels = 4;  ///< padding of labels to the right of boxes
constexpr double kWidest = 16;      ///< of the largest edge
constexpr double kNarrowest = 1.5;
constexpr double kWidestPassing = 4;
constexpr double kWidestOfAll = 48; ///< of all passing edges together
constexpr double kHead = 8;        ///< length of the arrowhead; the center line ends at its base
constexpr std::size_t kMaxLabels = 200;
constexpr double kLeaves = 0.84;    ///< start of edges to the next box, as a fraction of the box width
constexpr double kChipRoom = 14;    ///< between chips and the center of an edge or the corner of a box

/// Returns the width of a folded box in a pane of this width.
double boxWidthIn(double pane)
{
    constexpr double kLeast = 248;
    constexpr double kMost = 440;
    constexpr double kWidePane = 900;
    return std::floor(std::clamp(kLeast + (pane - kWidePane) / 4, kLeast, kMost));
}

class LayoutOf {
public:
    LayoutOf(const DagContent& content, const DagLayoutOptions& options)
        : m_content(content), m_width(options.width), m_zoom(options.zoom), m_graphHeights(options.graphHeights),
          m_heights(heightsOf(content, options.height, options.zoom))
    {
        m_layout.boxWidth = boxWidthIn(m_width * m_zoom);
        m_layout.isCompact = m_heights.isCompact;
        m_layout.isDense = m_heights.isDense;
        m_layout.headHeight = m_heights.box;
        m_layout.isFar = m_zoom < DagLayout::kReadable;
        m_layout.hasRoomForChips = !m_layout.isCompact && !m_layout.isFar;
        for (const DagCutEdge& cutEdge : content.cutEdges) {
            if (cutEdge.isBackward)
                m_hasBackward = true;
            else if (cutEdge.to > cutEdge.from + 1) {
                m_longest = std::max(m_longest, cutEdge.to - cutEdge.from);
                ++m_passing;
            }
        }
    }

    DagLayout make()
    {
        measureColumns();
        placeBoxes();
        placeLanes();
        for (const DagCutEdge& cutEdge : m_content.cutEdges)
            m_layout.cutEdges.push_back(shapeOf(cutEdge));
        placeChips();
        if (!m_layout.isFar)
            placeLabels();
        return std::move(m_layout);
    }

private:
    /// Measures the space to the left of all boxes and to the right of each box.
    void measureColumns()
    {
        double title = 0;
        for (const DagLane& lane : m_content.lanes)
            if (lane.begin != lane.end)
                title = std::max({title, LabelPainter::width(lane.name, pictureFonts().title, 1),
                                  LabelPainter::width(lane.memory, pictureFonts().detail, 1)});
        m_title = std::ceil(std::min(kWidestTitle, title));
        m_channel = m_longest == 0 ? kMinChannel : m_layout.isCompact ? kLowChannel : kChannel;
        m_left = kDagMargin + (m_title > 0 ? kTitlePad + m_title : 0) + m_channel;
        m_right = kDagMargin + (m_hasBackward ? kBackChannel : kLanePad);
        if (m_layout.isDense)
            for (const DagCutEdge& cutEdge : m_content.cutEdges)
                if (cutEdge.to == cutEdge.from + 1)
                    m_labels = std::max(
                        m_labels, kBesideLabels + std::ceil(LabelPainter::width(cutEdge.amount, pictureFonts().detail, 1)) + 16);
        if (m_content.shared.empty() || m_layout.isFar)
            return;
        double widest = 0;
        for (std::size_t box = 0; box < m_content.boxes.size(); ++box)
            widest = std::max(widest, widthOfSharedChips(m_content, box, m_heights.box));
        const double room = m_width - m_left - m_layout.boxWidth - m_right - m_labels - kBesideGap - kGutter;
        m_beside = std::min(widest, std::max(kMinBeside, room));
    }

    /// Returns how far the labels of edges to the next box extend beyond the right edge of a box.
    [[nodiscard]] double overhang() const
    {
        constexpr double kFromCutEdge = 32; ///< half of the widest edge, and padding around and in the label
        if (!m_layout.isCompact || m_layout.isDense || m_layout.isFar)
            return 0;
        double widest = 0;
        for (const DagCutEdge& cutEdge : m_content.cutEdges)
            if (cutEdge.to == cutEdge.from + 1)
                widest = std::max(widest, LabelPainter::width(cutEdge.label, pictureFonts().detail, 1));
        return widest + kFromCutEdge - (1 - kLeaves) * m_layout.boxWidth;
    }

    /// Returns the width of the labels and chips to the right of a box.
    [[nodiscard]] double besides() const { return m_labels + (m_beside > 0 ? kBesideGap + m_beside + kGutter : 0); }

    void placeBoxes()
    {
        const double left = m_left;
        const double right = std::max(m_right + besides(), kDagMargin + overhang());
        const auto steps = static_cast<double>(std::max<std::size_t>(1, m_content.boxes.size()) - 1);
        const double room = std::max(0.0, m_width - left - right - m_layout.boxWidth);
        // A label to the right of the box below must not overlap the chips of this one.
        const double most = m_layout.isDense && m_beside > 0 ? kBesideGap - 4 : kMaxStep;
        const double step = steps > 0 ? std::min(most, room / steps) : 0;
        m_layout.size.setWidth(std::max(m_width, left + m_layout.boxWidth + right));
        double y = kDagMargin;
        for (std::size_t i = 0; i < m_content.boxes.size(); ++i) {
            const bool opensLane = i == 0 || m_content.boxes[i].lane != m_content.boxes[i - 1].lane;
            if (i > 0)
                y += m_heights.gap;
            else if (opensLane)
                y += m_heights.rim - kDagMargin;
            placeBox(i, left, step, right, y);
            y = m_layout.boxes.back().bottom();
        }
        m_bottom = y + m_heights.rim - kDagMargin;
    }

    void placeBox(std::size_t box, double left, double step, double right, double y)
    {
        constexpr double kInset = 8;
        const double graph = box < m_graphHeights.size() ? m_graphHeights[box] : 0;
        if (graph <= 0) {
            m_layout.boxes.emplace_back(std::floor(left + step * static_cast<double>(box)), y, m_layout.boxWidth, m_heights.box);
            m_layout.graphs.emplace_back();
            return;
        }
        const double width = m_layout.size.width() - left - right;
        const double pad = m_layout.isCompact ? kInset : kInset + kChipRoom / 2;
        m_layout.boxes.emplace_back(left, y, width, m_heights.box + graph + pad);
        m_layout.graphs.emplace_back(left + kInset + 4, y + m_heights.box, width - 2 * kInset - 4, graph);
    }

    /// Places chips between the edges to and from the adjacent boxes, on the side with more room.
    void placeChips()
    {
        for (std::size_t i = 0; i < m_layout.boxes.size(); ++i) {
            const QRectF& at = m_layout.boxes[i];
            double left = at.left() + kChipRoom;
            double right = at.right() - kChipRoom / 2;
            if (i > 0) {
                const double arrival = arrivalAt(m_layout.boxes[i - 1], at);
                if (arrival - left < right - arrival)
                    left = std::max(left, arrival + kChipRoom);
                else
                    right = std::min(right, arrival - kChipRoom);
            }
            addChips(i, false, left, right, at.top());
            addChips(i, true, at.left() + kChipRoom, departureFrom(at) - kChipRoom, at.bottom());
            if (m_beside > 0)
                addShared(i);
        }
        m_layout.gutter = m_layout.size.width() - kDagMargin - kGutter / 2;
    }

    /// Places the chips of shared values to the right of a box, its labels, and backward edges.
    void addShared(std::size_t box)
    {
        const QRectF& at = m_layout.boxes[box];
        const double last = m_layout.boxes.back().right();
        const double left = m_hasBackward ? std::max(at.right(), last) + kBackChannel : at.right() + m_labels + kBesideGap;
        const double right = m_layout.size.width() - kDagMargin - kGutter;
        const std::vector<DagChip> chips = sharedChipsOf(m_content, box,
                                                         {left, at.top(), std::max(right - left, m_beside), m_heights.box});
        m_layout.chips.insert(m_layout.chips.end(), chips.begin(), chips.end());
    }

    /// Places chips on an edge, or outside it if boxes are low. They always stay large enough to read and drag.
    void addChips(std::size_t box, bool leaves, double left, double right, double edge)
    {
        DagChipRow row{.left = left, .right = right, .y = edge};
        if (!m_layout.hasRoomForChips) {
            row.scale = std::max(1.0, 1 / m_zoom);
            const double half = DagChip::kHeight * row.scale / 2;
            row.y = std::clamp(edge + (leaves ? half : -half), half, std::max(half, m_layout.size.height() - half));
            if (row.scale > 1) { // may cover other items
                row.right = std::max(right, std::min(left + m_layout.boxWidth * row.scale, m_layout.size.width() - kDagMargin));
                row.left = std::max(kDagMargin, std::min(left, row.right - m_layout.boxWidth * row.scale));
            }
        }
        const std::vector<DagChip> chips = chipsOf(m_content, box, leaves, row);
        m_layout.chips.insert(m_layout.chips.end(), chips.begin(), chips.end());
    }

    [[nodiscard]] double departureFrom(const QRectF& box) const { return box.right() - (1 - kLeaves) * m_layout.boxWidth; }

    /// Returns the x at which the edge from the previous box arrives: straight below its start if the offset is small.
    [[nodiscard]] double arrivalAt(const QRectF& from, const QRectF& to) const
    {
        const double inset = m_layout.boxWidth * 0.12;
        return std::clamp(departureFrom(from), to.left() + inset, to.right() - inset);
    }

    /// Adjacent lanes meet halfway between two boxes.
    void placeLanes()
    {
        double y = kDagMargin;
        for (const DagLane& lane : m_content.lanes) {
            const bool isIdle = lane.begin == lane.end;
            const bool isLast = lane.end == m_content.boxes.size();
            const double bottom = isIdle ? y + m_heights.idleLane
                : isLast                 ? m_bottom
                                         : m_layout.boxes[lane.end - 1].bottom() + m_heights.gap / 2;
            m_layout.lanes.emplace_back(kDagMargin, y, m_layout.size.width() - 2 * kDagMargin, bottom - y);
            m_layout.laneTitles.push_back(titleOf(lane, m_layout.lanes.back()));
            y = bottom;
        }
        m_layout.size.setHeight(y + kDagMargin);
    }

    /// Returns the rectangle of a lane's title: level with the first box if that has one line; empty if the lane has no name.
    [[nodiscard]] QRectF titleOf(const DagLane& lane, const QRectF& at) const
    {
        constexpr double kLine = 14;
        if (lane.name.isEmpty())
            return {};
        const bool isIdle = lane.begin == lane.end;
        const double width = isIdle ? at.width() - 2 * kTitlePad : m_title;
        const double middle = isIdle ? at.center().y() : m_layout.boxes[lane.begin].top() + m_heights.box / 2;
        const double top = m_layout.isCompact || isIdle ? middle - kLine / 2 : at.top() + 6;
        const bool hasTwo = !isIdle && !lane.memory.isEmpty() && at.bottom() - top > 2 * kLine + 2;
        return {at.left() + kTitlePad, top, width, hasTwo ? 2 * kLine : kLine};
    }

    [[nodiscard]] DagLayout::CutEdgeShape shapeOf(const DagCutEdge& cutEdge) const
    {
        const QRectF& from = m_layout.boxes[cutEdge.from];
        const QRectF& to = m_layout.boxes[cutEdge.to];
        const bool isShort = m_layout.isDense || (m_layout.isCompact && cutEdge.to != cutEdge.from + 1);
        DagLayout::CutEdgeShape shape{.from = cutEdge.from, .to = cutEdge.to, .text = isShort ? cutEdge.amount : cutEdge.label};
        shape.width = std::max(kNarrowest, cutEdge.share * std::min(kWidest, m_heights.gap));
        if (cutEdge.isBackward)
            pass(shape, {from.right(), from.top() + from.height() * 0.3}, {to.right(), to.top() + to.height() * 0.7},
                 std::max(from.right(), to.right()) + bulge(cutEdge.from - cutEdge.to), -1);
        else if (cutEdge.to > cutEdge.from + 1)
            pass(shape, {from.left(), from.top() + from.height() * 0.7}, {to.left(), to.top() + to.height() * 0.3},
                 std::min(from.left(), to.left()) - bulge(cutEdge.to - cutEdge.from), 1);
        else
            descend(shape, from, to);
        if (m_layout.isCompact && cutEdge.to != cutEdge.from + 1) // there can be dozens side by side
            shape.width = std::min(
                {shape.width, kWidestPassing, std::max(kNarrowest, kWidestOfAll / static_cast<double>(m_passing))});
        return shape;
    }

    /// Returns the distance of a passing edge from the boxes; it grows with the number of boxes passed.
    [[nodiscard]] double bulge(std::size_t span) const
    {
        const auto longest = static_cast<double>(std::max<std::size_t>(m_longest, 2));
        return 16 + (m_channel - 20) * std::min(1.0, static_cast<double>(span - 1) / longest);
    }

    static void pass(DagLayout::CutEdgeShape& shape, QPointF begin, QPointF end, double x, double inwards)
    {
        const QPointF neck = end - QPointF(inwards * kHead, 0);
        shape.path.moveTo(begin);
        shape.path.cubicTo(QPointF(x, begin.y()), QPointF(x, end.y()), neck);
        shape.tip = end;
        shape.towards = {inwards, 0};
    }

    void descend(DagLayout::CutEdgeShape& shape, const QRectF& from, const QRectF& to) const
    {
        const QPointF begin(departureFrom(from), from.bottom());
        const QPointF end(arrivalAt(from, to), to.top());
        const QPointF neck = end - QPointF(0, std::min(kHead, m_heights.gap / 2));
        const double bend = m_heights.gap * 0.5;
        shape.path.moveTo(begin);
        shape.path.cubicTo(begin + QPointF(0, bend), neck - QPointF(0, bend), neck);
        shape.tip = end;
        shape.towards = {0, 1};
    }

    /// Places labels, largest edges first. Labels that would cover another label or a box are omitted.
    void placeLabels()
    {
        std::vector<std::size_t> order(m_content.cutEdges.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const DagCutEdge& first = m_content.cutEdges[a];
            const DagCutEdge& second = m_content.cutEdges[b];
            return first.isBackward != second.isBackward ? first.isBackward : first.share > second.share;
        });
        std::vector<QRectF> taken;
        for (const std::size_t i : order) {
            if (taken.size() > kMaxLabels)
                break;
            const QRectF label = m_layout.labelOf(i, LabelPainter::width(m_layout.cutEdges[i].text, pictureFonts().detail, 1));
            const double above = label.top() - 2;
            const double below = label.bottom() + 2;
            const auto overlaps = [&](const QRectF& other) { // nearly all are elsewhere
                return other.top() < below && other.bottom() > above && !other.isEmpty()
                    && other.adjusted(-2, -2, 2, 2).intersects(label);
            };
            // Boxes are in order from top to bottom.
            const auto firstBox = std::ranges::upper_bound(m_layout.boxes, label.top(), {}, &QRectF::bottom);
            const auto endOfBoxes = std::ranges::lower_bound(firstBox, m_layout.boxes.end(), label.bottom(), {}, &QRectF::top);
            if (std::any_of(taken.begin(), taken.end(), overlaps)
                || std::any_of(
                    m_layout.chips.begin(), m_layout.chips.end(),
                    [&](const DagChip& chip) { return (m_layout.hasRoomForChips || chip.isBeside) && overlaps(chip.rect); })
                || std::any_of(m_layout.laneTitles.begin(), m_layout.laneTitles.end(), overlaps)
                || std::any_of(firstBox, endOfBoxes, [&](const QRectF& at) { return at.intersects(label); }))
                continue;
            m_layout.cutEdges[i].label = label;
            taken.push_back(label);
        }
    }

    const DagContent& m_content;
    double m_width;
    double m_zoom;
    const std::vector<double>& m_graphHeights;
    DagHeights m_heights;
    double m_title = 0; ///< width of the lane names
    double m_channel = 0; ///< width for edges that pass on the left
    double m_left = 0; ///< left edge of the boxes
    double m_right = 0; ///< between the margin and the labels and chips of a box
    double m_labels = 0; ///< width of edge labels to the right of boxes
    double m_beside = 0; ///< width of chips to the right of boxes
    std::size_t m_longest = 0; ///< span of the longest passing forward edge, in boxes; 0: none
    std::size_t m_passing = 0; ///< number of passing forward edges
    bool m_hasBackward = false;
    double m_bottom = 0;
    DagLayout m_layout;
};

} // namespace

DagLayout layOut(const DagContent& content, const DagLayoutOptions& options)
{
    return LayoutOf(content, options).make();
}

} // namespace sunder
