#pragma once

#include "layout/geometry.h"

namespace sunder::layered {

/// Builds a BezierPath that runs downwards. Consecutive vertical pieces are merged.
class PathBuilder {
public:
    PathBuilder(double x, double y);

    /// Adds a vertical line down to `y`, or nothing if `y` is not below.
    void downTo(double y);
    /// Adds a curve to (x, y) that leaves and arrives vertically.
    void bendTo(double x, double y);
    /// Adds a path to (x, y) with a horizontal line half way down.
    void sideTo(double x, double y);

    [[nodiscard]] BezierPath take();

private:
    void curve(Point a, Point b, Point end);

    BezierPath m_path;
    bool m_isVertical = false; ///< the last piece is a straight line down
};

} // namespace sunder::layered
