#pragma once

#include "layout/compose/compose_links.h"
#include "layout/geometry.h"

#include <vector>

namespace sunder::compose {

/// The columns of one body, in a layout with downward edges.
struct BodyColumns {
    std::vector<float> gaps; ///< x in the middle of the gap after each column except the last
    float top = 0;           ///< of the tallest column
    float bottom = 0;
};

/// Both ends of the section of an edge that connects two columns.
struct ColumnEnds {
    Point start;
    Point end;
    Index from = kNone; ///< column; kNone: enters at the top of the body
    Index to = kNone;   ///< column; kNone: leaves at the bottom
    Index producer = 0; ///< selects the parallel lane
};

/// Returns the path of an edge between columns: down from the producer, along the gap between the columns, and down to the
/// consumer. Between columns that are not adjacent, it runs above all columns. Corners are rounded.
BezierPath columnRoute(const ColumnEnds& ends, const BodyColumns& columns);

} // namespace sunder::compose
