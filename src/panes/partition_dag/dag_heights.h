#pragma once

namespace sunder {

struct DagContent;

/// How high boxes, and the gaps between them, are at 100 %.
struct DagHeights {
    bool isCompact = false; ///< one line a box
    bool isDense = false;   ///< … so near to each other that no label has room in the gap
    double box = 0;
    double gap = 0;
    double idleLane = 0;
    double rim = 0; ///< above the first box, and below the last

    /// Of all boxes and lanes together, folded.
    [[nodiscard]] double whole(const DagContent& content) const;
};

/// The largest at which all of the content is in `height` (0: no matter), as long as it can be read: boxes of several lines where
/// they are few, or have room; else of one line, nearer to each other the more there are. What is too much for
/// all of that is scrolled. `zoom`: at which it is seen; large boxes have room for their lines again. O(lanes).
DagHeights heightsOf(const DagContent& content, double height, double zoom);

} // namespace sunder
