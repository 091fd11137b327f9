#include "layout/picture/picture_index.h"

#include "support/sort_unique.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {

PictureTables::PictureTables(const Picture& picture)
    : m_into(edgesBy(picture, &PictureEdge::to)), m_from(edgesBy(picture, &PictureEdge::from))
{
    m_nodes.begin.reserve(picture.items.size() + 1);
    m_nodes.begin.push_back(0);
    m_nodes.values.reserve(picture.items.size());
    m_rects.reserve(picture.items.size());
    m_frames.reserve(picture.items.size());
    for (const Item& item : picture.items) {
        m_rects.push_back(item.rect);
        m_frames.push_back(item.kind == ItemKind::frame ? 1 : 0);
        m_nodes.values.insert(m_nodes.values.end(), item.nodes.begin(), item.nodes.end());
        m_nodes.begin.push_back(static_cast<std::uint32_t>(m_nodes.values.size()));
    }
    for (std::uint32_t i = 0; i < m_frames.size(); ++i) {
        if (m_frames[i] != 0)
            m_framesBySize.emplace_back(i);
    }
    const auto areaOf = [this](ItemId id) { return m_rects[id.index()].width * m_rects[id.index()].height; };
    std::stable_sort(m_framesBySize.begin(), m_framesBySize.end(), [&](ItemId a, ItemId b) { return areaOf(a) > areaOf(b); });
}

PictureTables::Runs<std::uint32_t> PictureTables::edgesBy(const Picture& picture, ItemId PictureEdge::* end)
{
    Runs<std::uint32_t> runs;
    runs.begin.assign(picture.items.size() + 1, 0);
    for (const PictureEdge& edge : picture.edges)
        ++runs.begin[(edge.*end).index() + 1];
    for (std::size_t i = 1; i < runs.begin.size(); ++i)
        runs.begin[i] += runs.begin[i - 1];
    runs.values.resize(picture.edges.size());
    std::vector<std::uint32_t> next(runs.begin);
    for (std::uint32_t i = 0; i < picture.edges.size(); ++i)
        runs.values[next[(picture.edges[i].*end).index()]++] = i;
    return runs;
}

namespace {

constexpr std::uint32_t kLargeCells = 64;
constexpr std::size_t kMaxCells = 1U << 20;

Rect boundsOf(const Item& item)
{
    Rect bounds = item.rect;
    for (const Chip& chip : item.chips)
        bounds = united(bounds, chip.rect);
    return bounds;
}

Rect boundsOf(const BezierPath& path)
{
    if (path.empty())
        return {};
    Point low = path.front();
    Point high = path.front();
    for (const Point p : path) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

float distanceToSegment(Point p, Point a, Point b)
{
    const float dx = b.x - a.x;
    const float dy = b.y - a.y;
    const float length = dx * dx + dy * dy;
    const float t = length == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.F, 1.F);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

float distanceTo(const BezierPath& path, Point point)
{
    constexpr int kSteps = 16;
    float nearest = std::numeric_limits<float>::max();
    for (std::size_t piece = 0; 3 * piece + 3 < path.size(); ++piece) {
        Point previous = path[3 * piece];
        for (int step = 1; step <= kSteps; ++step) {
            const Point next = pointAt(path, piece, static_cast<float>(step) / kSteps);
            nearest = std::min(nearest, distanceToSegment(point, previous, next));
            previous = next;
        }
    }
    return nearest;
}

bool hits(const Item& item, Point point)
{
    return item.rect.contains(point)
        || std::any_of(item.chips.begin(), item.chips.end(), [point](const Chip& chip) { return chip.rect.contains(point); });
}

} // namespace

Rect united(const Rect& a, const Rect& b)
{
    const float x = std::min(a.x, b.x);
    const float y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

Rect grown(const Rect& rect, float by)
{
    return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

Point pointAt(const BezierPath& path, std::size_t piece, float t)
{
    const Point& a = path[3 * piece];
    const Point& b = path[3 * piece + 1];
    const Point& c = path[3 * piece + 2];
    const Point& d = path[3 * piece + 3];
    const float s = 1 - t;
    const float wa = s * s * s;
    const float wb = 3 * s * s * t;
    const float wc = 3 * s * t * t;
    const float wd = t * t * t;
    return {wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y};
}

PictureIndex::PictureIndex(const Picture& picture) : m_picture(&picture)
{
    m_itemBounds.reserve(picture.items.size());
    for (const Item& item : picture.items)
        m_itemBounds.push_back(boundsOf(item));
    m_edgeBounds.reserve(picture.edges.size());
    for (const PictureEdge& edge : picture.edges)
        m_edgeBounds.push_back(boundsOf(edge.path));
    // About one item per cell, but never a table much larger than the picture.
    const double area = std::max(1.0, static_cast<double>(picture.size.width) * picture.size.height);
    const double cells = std::clamp<double>(static_cast<double>(picture.items.size()), 1, kMaxCells);
    m_cell = static_cast<float>(std::max(32.0, std::sqrt(area / cells)));
    const auto count = [this](float length) {
        return static_cast<std::uint32_t>(std::clamp<double>(std::ceil(length / m_cell), 1, kMaxCells));
    };
    m_columns = count(picture.size.width);
    m_rows = static_cast<std::uint32_t>(std::min<std::size_t>(count(picture.size.height), 4 * kMaxCells / m_columns));
    m_items = gridOf(m_itemBounds);
    m_edges = gridOf(m_edgeBounds);
}

PictureIndex::CellRange PictureIndex::cellsOf(const Rect& area) const
{
    const auto cell = [this](float at, std::uint32_t count) {
        return static_cast<std::uint32_t>(std::clamp(at / m_cell, 0.F, static_cast<float>(count - 1)));
    };
    return {cell(area.x, m_columns), cell(area.y, m_rows), cell(area.right(), m_columns), cell(area.bottom(), m_rows)};
}

PictureIndex::Grid PictureIndex::gridOf(const std::vector<Rect>& boxes) const
{
    Grid grid;
    grid.begin.assign(std::size_t{m_columns} * m_rows + 1, 0);
    const auto forCells = [this, &boxes](std::uint32_t box, const auto& visit) {
        const CellRange range = cellsOf(boxes[box]);
        if ((range.right - range.left + 1) * (range.bottom - range.top + 1) > kLargeCells)
            return false;
        for (std::uint32_t row = range.top; row <= range.bottom; ++row)
            for (std::uint32_t column = range.left; column <= range.right; ++column)
                visit(std::size_t{row} * m_columns + column);
        return true;
    };
    for (std::uint32_t box = 0; box < boxes.size(); ++box)
        if (!forCells(box, [&grid](std::size_t cell) { ++grid.begin[cell + 1]; }))
            grid.large.push_back(box);
    for (std::size_t cell = 1; cell < grid.begin.size(); ++cell)
        grid.begin[cell] += grid.begin[cell - 1];
    grid.boxes.resize(grid.begin.back());
    std::vector<std::uint32_t> next(grid.begin.begin(), grid.begin.end() - 1);
    for (std::uint32_t box = 0; box < boxes.size(); ++box)
        forCells(box, [&](std::size_t cell) { grid.boxes[next[cell]++] = box; });
    return grid;
}

std::vector<std::uint32_t> PictureIndex::query(const Grid& grid, const std::vector<Rect>& boxes, const Rect& area) const
{
    std::vector<std::uint32_t> found;
    if (m_picture == nullptr || boxes.empty())
        return found;
    const CellRange range = cellsOf(area);
    const std::size_t cells = std::size_t{range.right - range.left + 1} * (range.bottom - range.top + 1);
    // If the area covers most of the picture, testing all boxes is faster than collecting and sorting cells.
    if (cells * 3 > std::size_t{m_columns} * m_rows) {
        for (std::uint32_t box = 0; box < boxes.size(); ++box)
            if (boxes[box].intersects(area))
                found.push_back(box);
        return found;
    }
    for (const std::uint32_t box : grid.large)
        if (boxes[box].intersects(area))
            found.push_back(box);
    for (std::uint32_t row = range.top; row <= range.bottom; ++row) {
        const std::size_t rowBegin = std::size_t{row} * m_columns;
        for (std::uint32_t i = grid.begin[rowBegin + range.left]; i < grid.begin[rowBegin + range.right + 1]; ++i)
            if (boxes[grid.boxes[i]].intersects(area))
                found.push_back(grid.boxes[i]);
    }
    sortUnique(found);
    return found;
}

std::vector<std::uint32_t> PictureIndex::itemsIn(const Rect& area) const
{
    return query(m_items, m_itemBounds, area);
}

std::vector<std::uint32_t> PictureIndex::edgesIn(const Rect& area) const
{
    return query(m_edges, m_edgeBounds, area);
}

ItemId PictureIndex::itemAt(Point point) const
{
    const std::vector<std::uint32_t> near = itemsIn({point.x, point.y, 0, 0});
    for (auto it = near.rbegin(); it != near.rend(); ++it)
        if (hits(m_picture->items[*it], point))
            return ItemId(*it);
    return {};
}

std::int64_t PictureIndex::edgeAt(Point point, float distance) const
{
    std::int64_t best = -1;
    float nearest = distance;
    for (const std::uint32_t edge : edgesIn(grown({point.x, point.y, 0, 0}, distance))) {
        const float away = distanceTo(m_picture->edges[edge].path, point);
        if (away <= nearest) {
            nearest = away;
            best = edge;
        }
    }
    return best;
}

} // namespace sunder
