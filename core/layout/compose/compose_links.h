#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

#include <span>
#include <vector>

namespace sunder::compose {

using collapse::Index;
using collapse::kNone;

/// The part of a drawn edge that lies in one body: from a child of the body, or its upper border, to a child or its
/// lower border.
struct Link {
    Index body = 0;     ///< 0: the picture; else the entry of the frame + 1
    Index producer = 0; ///< entry whose values it carries; one link for all readers behind the same border
    Index from = kNone; ///< entry; kNone: it comes in at the upper border
    Index to = kNone;   ///< entry; kNone: it goes out at the lower border
};

/// Every dependency as a chain of links.
struct Links {
    std::vector<Link> links;      ///< sorted by body, producer, from, to; each once
    std::vector<Index> bodyStart; ///< links of body b: links[bodyStart[b]] … links[bodyStart[b + 1]]
    std::vector<Index> pathStart; ///< links of dependency d: path[pathStart[d]] … path[pathStart[d + 1]], in order
    std::vector<Index> path;

    [[nodiscard]] std::span<const Link> linksOf(Index body) const
    {
        return {links.data() + bodyStart[body], links.data() + bodyStart[body + 1]};
    }
};

/// O(n log n) in dependencies times the frames that they cross.
Links linksOf(const collapse::Collapsed& collapsed, const std::vector<collapse::Dependency>& dependencies);

} // namespace sunder::compose
