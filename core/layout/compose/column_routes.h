#pragma once

#include "layout/compose/compose_links.h"
#include "layout/geometry.h"

#include <vector>

namespace sunder::compose {

/// The columns of one body, as if edges flowed downwards.
struct BodyColumns {
    std::vector<float> gaps; ///< x in the middle of the gap behind each column but the last
    float top = 0;           ///< of the highest column
    float bottom = 0;
};

/// Both ends of the part of an edge that leads from one column into another.
struct ColumnEnds {
    Point start;
    Point end;
    Index from = kNone; ///< column; kNone: it comes in at the upper border of the body
    Index to = kNone;   ///< column; kNone: it goes out at the lower border
    Index producer = 0; ///< edges of different producers run in parallel lanes
};

/// The path of an edge between columns: down from the producer, along the gap between the columns, and down into the reader. Between
/// columns that are not neighbors it runs above all columns. Corners are round.
BezierPath columnRoute(const ColumnEnds& ends, const BodyColumns& columns);

} // namespace sunder::compose
