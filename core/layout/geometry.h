#pragma once

#include <vector>

namespace sunder {

/// A point in logical pixels at 100% zoom, the unit of all lengths in the layout; x to the right, y down.
struct Point {
    float x = 0;
    float y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
    float width = 0;
    float height = 0;
};

struct Rect {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;

    [[nodiscard]] float right() const { return x + width; }
    [[nodiscard]] float bottom() const { return y + height; }
    [[nodiscard]] Point center() const { return {x + width / 2, y + height / 2}; }
    [[nodiscard]] bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
    [[nodiscard]] bool intersects(const Rect& r) const
    {
        return r.x <= right() && r.right() >= x && r.y <= bottom() && r.bottom() >= y;
    }
};

/// A chain of cubic Bézier curves: a start, then two control points and an end for each curve; 3n + 1 points.
using BezierPath = std::vector<Point>;

} // namespace sunder
