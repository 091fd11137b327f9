#pragma once

#include "layout/collapse/collapse.h"
#include "layout/geometry.h"
#include "layout/picture/picture_values.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::compose {

/// The part of a body between two horizontal lines that cross only edges, no boxes. A column may end at such a line.
struct Band {
    float top = 0;
    float bottom = 0;
    std::uint32_t crossing = 0;  ///< number of edges that a cut after the band crosses
    bool endsModule = false;     ///< a module or frame ends with the band or begins after it
};

/// Divides bands, from the top down, into columns of at most `height`; a taller band gets its own column. Prefers columns of
/// equal height, cuts that cross few edges, and cuts at module boundaries. Returns the first band of every column; the first is
/// 0. O(bands × bands per column).
std::vector<std::uint32_t> columnBreaks(const std::vector<Band>& bands, float height);

using collapse::Index;
using collapse::kNone;

/// The section of a drawn edge within one body: from a child of the body, or its top border, to a child or its bottom border.
struct Link {
    Index body = 0;     ///< 0: the picture; else the entry of the frame + 1
    Index producer = 0; ///< entry that produces the values; consumers behind the same border share one link
    Index from = kNone; ///< entry; kNone: enters at the top border
    Index to = kNone;   ///< entry; kNone: leaves at the bottom border
};

/// Dependencies as chains of links.
struct Links {
    std::vector<Link> links;      ///< distinct; sorted by body, producer, from, to
    std::vector<Index> bodyStart; ///< links of body b: links[bodyStart[b]] … links[bodyStart[b + 1]]
    std::vector<Index> pathStart; ///< links of dependency d: path[pathStart[d]] … path[pathStart[d + 1]], in order
    std::vector<Index> path;

    [[nodiscard]] std::span<const Link> linksOf(Index body) const
    {
        return {links.data() + bodyStart[body], links.data() + bodyStart[body + 1]};
    }
};

/// Returns the links of all dependencies. O(n log n), where n is the number of dependencies times the frames that they cross.
Links linksOf(const collapse::Collapsed& collapsed, const std::vector<collapse::Dependency>& dependencies);

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
