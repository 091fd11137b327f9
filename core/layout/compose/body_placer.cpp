#include "layout/compose/body_placer.h"

#include "layout/compose/column_routes.h"
#include "layout/compose/extent.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace sunder::compose {
namespace {

class TrailingNodes {
public:
    TrailingNodes(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column)
        : m_children(children), m_links(links), m_column(column)
    {
    }

    void shift()
    {
        std::vector<Index> frames;
        for (Index i = 0; i < m_children.size(); ++i) {
            if (m_children[i].exitAside > 0)
                frames.push_back(i);
        }
        std::sort(frames.begin(), frames.end(),
                  [&](Index a, Index b) { return std::pair(m_column.centers[a].y, a) < std::pair(m_column.centers[b].y, b); });
        for (const Index frame : frames)
            shiftBelow(frame);
    }

private:
    [[nodiscard]] float topOf(Index child) const { return m_column.centers[child].y - m_children[child].box.size.height / 2; }
    [[nodiscard]] float bottomOf(Index child) const { return m_column.centers[child].y + m_children[child].box.size.height / 2; }

    /// Returns the children below the frame, or nothing if a child is next to it.
    [[nodiscard]] std::optional<std::vector<Index>> childrenBelow(Index frame) const
    {
        std::vector<Index> below;
        for (Index i = 0; i < m_children.size(); ++i) {
            if (i == frame || bottomOf(i) <= topOf(frame))
                continue;
            if (topOf(i) < bottomOf(frame))
                return std::nullopt;
            below.push_back(i);
        }
        return below;
    }

    /// The same for routes.
    [[nodiscard]] std::optional<std::vector<Index>> routesBelow(Index frame) const
    {
        std::vector<Index> below;
        for (Index i = 0; i < m_links.size(); ++i) {
            const BezierPath& route = m_column.routes[i];
            if (route.empty() || route.back().y <= topOf(frame))
                continue;
            if (m_links[i].from != m_children[frame].entry && route.front().y < bottomOf(frame))
                return std::nullopt;
            below.push_back(i);
        }
        return below;
    }

    void shiftBelow(Index frame)
    {
        const auto children = childrenBelow(frame);
        const auto routes = routesBelow(frame);
        if (!children || !routes)
            return;
        Extent below;
        for (const Index child : *children)
            below.addX(m_column.centers[child].x + m_children[child].box.size.width / 2 + m_children[child].box.extraRight);
        for (const Index link : *routes) {
            for (const Point& point : m_column.routes[link])
                below.addX(point.x);
        }
        const float right = m_column.centers[frame].x + m_children[frame].box.size.width / 2 + m_children[frame].box.extraRight;
        const float by = std::min(m_children[frame].exitAside, right - below.right);
        if (by <= 0 || routes->empty())
            return;
        for (const Index child : *children)
            m_column.centers[child].x += by;
        for (const Index link : *routes) {
            for (Point& point : m_column.routes[link])
                point.x += by;
        }
        if (m_column.mainPort && !m_column.comesIn)
            *m_column.mainPort += by;
    }

    const std::vector<ChildBox>& m_children;
    std::span<const Link> m_links;
    PlacedBody& m_column;
};

/// Shifts the items below a frame with columns to the right, under the exit of its edges (`exitAside`), as far as there is room.
/// Nothing is moved if an item or edge is next to the frame, because its connections would become skewed instead. The body never
/// gets wider. Linear in children and routes for each such frame.
void putBelowExits(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column)
{
    TrailingNodes(children, links, column).shift();
}

constexpr float kColumnGap = 40;
constexpr float kMuchHigher = 1.35F; ///< minimum height for columns, as a multiple of the column height
constexpr float kAroundColumns = 2.2F; ///< the same for a body with a child that has columns

/// Children by rows, from the top. Boxes of different rows do not overlap vertically.
struct Rows {
    std::vector<Index> rowOf; ///< per child
    std::vector<Band> bands;
};

Rows rowsOf(const std::vector<ChildBox>& children, const std::vector<Point>& centers)
{
    const auto top = [&](Index child) { return centers[child].y - children[child].box.size.height / 2; };
    std::vector<Index> order(children.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return top(a) < top(b); });
    Rows rows{std::vector<Index>(children.size(), 0), {}};
    for (const Index child : order) {
        const float bottom = centers[child].y + children[child].box.size.height / 2;
        if (rows.bands.empty() || top(child) >= rows.bands.back().bottom)
            rows.bands.push_back({top(child), bottom});
        rows.bands.back().bottom = std::max(rows.bands.back().bottom, bottom);
        rows.rowOf[child] = static_cast<Index>(rows.bands.size() - 1);
    }
    return rows;
}

Index placeOf(const std::vector<ChildBox>& children, Index entry)
{
    const auto found = std::lower_bound(children.begin(), children.end(), entry,
                                        [](const ChildBox& child, Index e) { return child.entry < e; });
    return static_cast<Index>(found - children.begin());
}

/// Computes the properties that determine the cost of a cut after each row.
void weighCuts(const std::vector<ChildBox>& children, std::span<const Link> links, Rows& rows)
{
    const auto count = static_cast<Index>(rows.bands.size());
    std::vector<std::int64_t> change(count + 1, 0);
    for (const Link& link : links) {
        const Index from = link.from == kNone ? 0 : rows.rowOf[placeOf(children, link.from)];
        const Index to = link.to == kNone ? count - 1 : rows.rowOf[placeOf(children, link.to)];
        if (from < to) {
            ++change[from];
            --change[to];
        }
    }
    std::int64_t crossing = 0;
    for (Index row = 0; row < count; ++row) {
        crossing += change[row];
        rows.bands[row].crossing = static_cast<std::uint32_t>(crossing);
    }
    for (Index i = 0; i < children.size(); ++i) {
        if (!children[i].isModule)
            continue;
        const Index row = rows.rowOf[i];
        rows.bands[row].endsModule = true;
        if (row > 0)
            rows.bands[row - 1].endsModule = true;
    }
}

/// The children and links of one column, as indices into the body's tables.
struct ColumnParts {
    std::vector<Index> children;
    std::vector<Index> links; ///< links within this column
};

/// Divides children and links by column; at least one column. O(children + links × log children).
std::vector<ColumnParts> partsOf(const std::vector<ChildBox>& children, std::span<const Link> links,
                                 const std::vector<Index>& columnOf)
{
    const Index last = columnOf.empty() ? 0 : *std::max_element(columnOf.begin(), columnOf.end());
    std::vector<ColumnParts> columns(last + 1);
    for (Index i = 0; i < children.size(); ++i)
        columns[columnOf[i]].children.push_back(i);
    for (Index i = 0; i < links.size(); ++i) {
        const Index from = links[i].from == kNone ? 0 : columnOf[placeOf(children, links[i].from)];
        const Index to = links[i].to == kNone ? last : columnOf[placeOf(children, links[i].to)];
        if (from == to)
            columns[from].links.push_back(i);
    }
    return columns;
}

/// The extent of a column, including chips and routes.
Extent extentOf(const std::vector<ChildBox>& children, const PlacedBody& column)
{
    Extent extent;
    for (Index i = 0; i < children.size(); ++i) {
        const BoxGraph::Box& box = children[i].box;
        const Point at = column.centers[i];
        extent.addX(at.x - box.size.width / 2 - box.extraLeft);
        extent.addX(at.x + box.size.width / 2 + box.extraRight);
        extent.addY(at.y - box.size.height / 2);
        extent.addY(at.y + box.size.height / 2);
    }
    for (const BezierPath& route : column.routes) {
        for (const Point& point : route)
            extent.addX(point.x);
    }
    return extent;
}

void move(PlacedBody& column, Point by)
{
    for (Point& center : column.centers)
        center = {center.x + by.x, center.y + by.y};
    for (BezierPath& route : column.routes) {
        for (Point& point : route)
            point = {point.x + by.x, point.y + by.y};
    }
    if (column.mainPort)
        *column.mainPort += by.x;
}

} // namespace

Result<PlacedBody> BodyPlacer::place(const std::vector<ChildBox>& children, std::span<const Link> links, ProgressMonitor& monitor)
{
    std::vector<Index> columnOf(children.size(), 0);
    if (m_rule.columnOf != nullptr) {
        for (Index i = 0; i < children.size(); ++i)
            columnOf[i] = (*m_rule.columnOf)[children[i].entry];
    } else {
        SubProgress inOne(monitor, 0, 0.5);
        Result<PlacedBody> whole = placeColumn(children, links, inOne);
        if (!whole)
            return whole;
        columnOf = columnsOf(children, links, *whole);
        if (std::all_of(columnOf.begin(), columnOf.end(), [](Index column) { return column == 0; })) {
            whole->columnOf = std::move(columnOf);
            return whole;
        }
    }
    SubProgress inColumns(monitor, m_rule.columnOf != nullptr ? 0 : 0.5, 1);
    return placeColumns(children, links, std::move(columnOf), inColumns);
}

Result<PlacedBody> BodyPlacer::placeColumn(const std::vector<ChildBox>& children, std::span<const Link> links,
                                           ProgressMonitor& monitor)
{
    const BodyPlan plan = planBody(children, links);
    SUNDER_TRY(const BoxLayout* const found, m_layouts.of(plan.graph, monitor));
    const BoxLayout& layout = *found;
    PlacedBody placed;
    const auto first = layout.centers.begin() + plan.firstChild;
    placed.centers.assign(first, first + static_cast<std::ptrdiff_t>(children.size()));
    placed.routes.assign(layout.routes.begin(), layout.routes.begin() + static_cast<std::ptrdiff_t>(links.size()));
    if (plan.mainPort != kNone) {
        placed.mainPort = layout.centers[plan.mainPort].x;
        placed.comesIn = plan.mainPort < plan.firstChild;
    }
    putBelowExits(children, links, placed);
    return placed;
}

/// Returns the column of each child by the rule.
std::vector<Index> BodyPlacer::columnsOf(const std::vector<ChildBox>& children, std::span<const Link> links,
                                         const PlacedBody& whole) const
{
    std::vector<Index> columnOf(children.size(), 0);
    if (children.empty() || (m_rule.height <= 0 && m_rule.starts == nullptr))
        return columnOf;
    Rows rows = rowsOf(children, whole.centers);
    const bool isAround = std::any_of(children.begin(), children.end(), [](const ChildBox& child) { return child.hasColumns; });
    const float most = m_rule.height * (isAround ? kAroundColumns : kMuchHigher);
    std::vector<bool> begins(rows.bands.size(), false);
    if (m_rule.starts != nullptr) {
        for (Index i = 0; i < children.size(); ++i) {
            if ((*m_rule.starts)[children[i].entry])
                begins[rows.rowOf[i]] = true;
        }
    } else if (rows.bands.back().bottom - rows.bands.front().top > most) {
        weighCuts(children, links, rows);
        for (const Index row : columnBreaks(rows.bands, m_rule.height))
            begins[row] = true;
    }
    std::vector<Index> columnOfRow(rows.bands.size(), 0);
    for (std::size_t row = 1; row < begins.size(); ++row)
        columnOfRow[row] = columnOfRow[row - 1] + (begins[row] ? 1 : 0);
    for (Index i = 0; i < children.size(); ++i)
        columnOf[i] = columnOfRow[rows.rowOf[i]];
    return columnOf;
}

/// Lays out each column separately, with aligned tops.
Result<PlacedBody> BodyPlacer::placeColumns(const std::vector<ChildBox>& children, std::span<const Link> links,
                                            std::vector<Index> columnOf, ProgressMonitor& monitor)
{
    const std::vector<ColumnParts> columns = partsOf(children, links, columnOf);
    PlacedBody placed;
    placed.centers.resize(children.size());
    placed.routes.resize(links.size());
    float x = 0;
    std::size_t done = 0;
    for (const ColumnParts& column : columns) {
        std::vector<ChildBox> own;
        for (const Index child : column.children)
            own.push_back(children[child]);
        std::vector<Link> ownLinks;
        for (const Index link : column.links)
            ownLinks.push_back(links[link]);
        const auto all = static_cast<double>(std::max<std::size_t>(children.size(), 1));
        SubProgress section(monitor, static_cast<double>(done) / all, static_cast<double>(done + own.size()) / all);
        done += own.size();
        Result<PlacedBody> part = placeColumn(own, ownLinks, section);
        if (!part)
            return part;
        const Extent area = extentOf(own, *part);
        move(*part, {x - area.left, -area.top});
        x += area.right - area.left + kColumnGap;
        if (&column != &columns.back())
            placed.gaps.push_back(x - kColumnGap / 2);
        for (Index i = 0; i < own.size(); ++i)
            placed.centers[column.children[i]] = part->centers[i];
        for (Index i = 0; i < ownLinks.size(); ++i)
            placed.routes[column.links[i]] = std::move(part->routes[i]);
        if (part->mainPort && !placed.mainPort) {
            placed.mainPort = part->mainPort;
            placed.comesIn = part->comesIn;
        }
    }
    placed.columnOf = std::move(columnOf);
    return placed;
}

Result<const BoxLayout*> BodyLayouts::of(const BoxGraph& graph, ProgressMonitor& monitor)
{
    std::string key = LayoutMemory::keyOf(graph, {});
    if (const BoxLayout* known = m_known.find(key))
        return known;
    SUNDER_TRY(BoxLayout layout, m_engine.layout(graph, {}, monitor));
    return m_known.keep(std::move(key), std::move(layout));
}

} // namespace sunder::compose
