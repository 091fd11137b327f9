#include "layout/compose/column_routes.h"

#include <algorithm>
#include <cmath>

namespace sunder::compose {
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
