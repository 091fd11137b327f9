#include "layout/compose/column_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace sunder::compose {
namespace {

constexpr double kRoomCost = 6;       ///< of an empty column
constexpr double kColumnCost = 0.2;   ///< of an additional column
constexpr double kCrossingCost = 0.25;
constexpr double kInsideCost = 0.5;   ///< of a cut that is not at the boundary of a module
constexpr double kLastRoomCost = 0.5; ///< lower, because the last column may be short

double costOfCut(const Band& last)
{
    return kColumnCost + kCrossingCost * last.crossing + (last.endsModule ? 0 : kInsideCost);
}

} // namespace

std::vector<std::uint32_t> columnBreaks(const std::vector<Band>& bands, float height)
{
    const std::size_t count = bands.size();
    std::vector<double> cost(count + 1, std::numeric_limits<double>::infinity()); // of the preceding bands
    std::vector<std::size_t> first(count + 1, 0);
    cost[0] = 0;
    for (std::size_t end = 1; end <= count; ++end) {
        for (std::size_t begin = end; begin-- > 0;) {
            const float used = bands[end - 1].bottom - bands[begin].top;
            if (used > height && begin + 1 < end)
                break;
            const double room = std::max(0.0, 1.0 - static_cast<double>(used / height));
            const bool isLast = end == count;
            const double total = cost[begin] + room * room * (isLast ? kLastRoomCost : kRoomCost)
                + (isLast ? 0 : costOfCut(bands[end - 1]));
            if (total < cost[end]) {
                cost[end] = total;
                first[end] = begin;
            }
        }
    }
    std::vector<std::uint32_t> starts;
    for (std::size_t end = count; end > 0; end = first[end])
        starts.push_back(static_cast<std::uint32_t>(first[end]));
    std::reverse(starts.begin(), starts.end());
    return starts;
}

namespace {

auto orderOf(const Link& link)
{
    return std::tuple(link.body, link.producer, link.from, link.to);
}

class LinkMaker {
public:
    explicit LinkMaker(const collapse::Collapsed& collapsed) : m_entries(collapsed.entries) {}

    Links run(const std::vector<collapse::Dependency>& dependencies)
    {
        Links result;
        for (const collapse::Dependency& dependency : dependencies) {
            result.pathStart.push_back(static_cast<Index>(m_all.size()));
            addPath(dependency.from, dependency.to);
        }
        result.pathStart.push_back(static_cast<Index>(m_all.size()));
        number(result);
        return result;
    }

private:
    [[nodiscard]] Index bodyOf(Index entry) const { return m_entries[entry].parent == kNone ? 0 : m_entries[entry].parent + 1; }

    /// Walks up from both ends until they are in the same body.
    void addPath(Index producer, Index reader)
    {
        Index from = producer;
        Index to = reader;
        std::vector<Link> inwards;
        while (bodyOf(from) != bodyOf(to)) {
            if (m_entries[from].depth >= m_entries[to].depth) {
                m_all.push_back({bodyOf(from), producer, from, kNone});
                from = m_entries[from].parent;
            } else {
                inwards.push_back({bodyOf(to), producer, kNone, to});
                to = m_entries[to].parent;
            }
        }
        m_all.push_back({bodyOf(from), producer, from, to});
        m_all.insert(m_all.end(), inwards.rbegin(), inwards.rend());
    }

    void number(Links& result) const
    {
        std::vector<Index> order(m_all.size());
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(), [&](Index a, Index b) { return orderOf(m_all[a]) < orderOf(m_all[b]); });
        result.path.resize(m_all.size());
        for (const Index i : order) {
            if (result.links.empty() || orderOf(result.links.back()) != orderOf(m_all[i]))
                result.links.push_back(m_all[i]);
            result.path[i] = static_cast<Index>(result.links.size() - 1);
        }
        result.bodyStart.assign(m_entries.size() + 2, 0);
        for (const Link& link : result.links)
            ++result.bodyStart[link.body + 1];
        std::partial_sum(result.bodyStart.begin(), result.bodyStart.end(), result.bodyStart.begin());
    }

    const std::vector<collapse::Entry>& m_entries;
    std::vector<Link> m_all;
};

} // namespace

Links linksOf(const collapse::Collapsed& collapsed, const std::vector<collapse::Dependency>& dependencies)
{
    return LinkMaker(collapsed).run(dependencies);
}

namespace {

constexpr float kTurn = 7;   ///< from a box to the first turn of the edge
constexpr float kRadius = 5; ///< of a corner
constexpr float kLane = 5;   ///< between edges in the same gap
constexpr Index kLanes = 5;

float lengthBetween(Point a, Point b)
{
    return std::fabs(a.x - b.x) + std::fabs(a.y - b.y); // axis-aligned
}

Point pointTowards(Point from, Point to, float length)
{
    const float all = lengthBetween(from, to);
    return all == 0 ? from : Point{from.x + (to.x - from.x) * length / all, from.y + (to.y - from.y) * length / all};
}

void lineTo(BezierPath& path, Point end)
{
    const Point start = path.back();
    const float third = lengthBetween(start, end) / 3;
    path.push_back(pointTowards(start, end, third));
    path.push_back(pointTowards(end, start, third));
    path.push_back(end);
}

/// Returns a path through the given corners, rounded as far as there is room.
BezierPath rounded(const std::vector<Point>& corners)
{
    BezierPath path{corners.front()};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const float room = std::min(lengthBetween(corners[i - 1], corners[i]), lengthBetween(corners[i], corners[i + 1])) / 2;
        const float radius = std::min(kRadius, room);
        const Point begin = pointTowards(corners[i], corners[i - 1], radius);
        const Point end = pointTowards(corners[i], corners[i + 1], radius);
        lineTo(path, begin);
        path.push_back(pointTowards(begin, corners[i], radius / 2));
        path.push_back(pointTowards(end, corners[i], radius / 2));
        path.push_back(end);
    }
    lineTo(path, corners.back());
    return path;
}

class Corners {
public:
    explicit Corners(Point start) : m_corners{start} {}

    /// Horizontal and vertical moves; moves of no length are left out.
    void goToX(float x) { add({x, m_corners.back().y}); }
    void goToY(float y) { add({m_corners.back().x, y}); }

    [[nodiscard]] const std::vector<Point>& all() const { return m_corners; }

private:
    void add(Point corner)
    {
        if (lengthBetween(m_corners.back(), corner) > 0.25F)
            m_corners.push_back(corner);
    }

    std::vector<Point> m_corners;
};

} // namespace

BezierPath columnRoute(const ColumnEnds& ends, const BodyColumns& columns)
{
    const auto last = static_cast<Index>(columns.gaps.size());
    const Index from = ends.from == kNone ? 0 : ends.from;
    const Index to = ends.to == kNone ? last : ends.to;
    const float aside = (static_cast<float>(ends.producer % kLanes) - (kLanes - 1) / 2.0F) * kLane;
    const auto gapAt = [&](Index gap) { return columns.gaps[std::min(gap, last - 1)] + aside; };
    const float out = gapAt(from < to ? from : from - 1);
    const float in = gapAt(from < to ? to - 1 : to);
    Corners way(ends.start);
    if (ends.from != kNone) {
        way.goToY(ends.start.y + kTurn);
        way.goToX(out);
    }
    if (ends.from == kNone || out != in) {
        way.goToY(columns.top - kTurn);
        way.goToX(in);
    }
    way.goToY(ends.to == kNone ? columns.bottom + kTurn : ends.end.y - kTurn);
    way.goToX(ends.end.x);
    way.goToY(ends.end.y);
    return rounded(way.all());
}

} // namespace sunder::compose
