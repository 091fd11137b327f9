#pragma once

#include "layout/geometry.h"

namespace sunder::layered {

/// Builds a BezierPath that runs downwards; pieces that continue a vertical line become one.
class PathBuilder {
public:
    PathBuilder(double x, double y);

    /// Straight down to `y`; nothing when that is not below.
    void downTo(double y);
    /// To (x, y), leaving and arriving vertically.
    void bendTo(double x, double y);
    /// To (x, y) by way of a horizontal line half way down.
    void sideTo(double x, double y);

    [[nodiscard]] BezierPath take();

private:
    void curve(Point a, Point b, Point end);

    BezierPath m_path;
    bool m_isVertical = false; ///< the last piece is a straight line down
};

} // namespace sunder::layered
