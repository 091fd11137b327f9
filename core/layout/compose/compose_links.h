#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

#include <span>
#include <vector>

namespace sunder::compose {

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

} // namespace sunder::compose
