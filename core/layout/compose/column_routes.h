#pragma once

#include "layout/compose/compose_links.h"
#include "layout/geometry.h"

#include <vector>

namespace sunder::compose {

/// Where the columns of one body lie, in the coordinates of their frame, as if edges flowed downwards.
struct BodyColumns {
    std::vector<float> gaps; ///< x in the middle of the gap behind each column but the last
    float top = 0;           ///< of what the columns hold
    float bottom = 0;
};

/// Both ends of the part of an edge that leads from one column into another.
struct ColumnEnds {
    Point start;
    Point end;
    Index from = kNone; ///< column; kNone: it comes in at the upper border of the body
    Index to = kNone;   ///< column; kNone: it goes out at the lower border
    Index producer = 0; ///< edges of different producers run beside each other
};

/// Leads out below what makes the value, along the gap between the columns, and in above what reads it; from column to column that
/// are no neighbors above all of them. Corners are round.
BezierPath columnRoute(const ColumnEnds& ends, const BodyColumns& columns);

} // namespace sunder::compose
