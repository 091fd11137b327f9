#pragma once

namespace sunder {

struct DagContent;

/// Heights of boxes and gaps at 100%.
struct DagHeights {
    bool isCompact = false; ///< one line per box
    bool isDense = false;   ///< the gaps are too low for labels
    double box = 0;
    double gap = 0;
    double idleLane = 0;
    double rim = 0; ///< above the first box and below the last

    /// Returns the total height of all boxes and lanes, folded.
    [[nodiscard]] double whole(const DagContent& content) const;
};

/// Returns the largest readable heights at which the content fits into `height` (0: unlimited). Boxes have several lines if there
/// are few of them or enough room, otherwise one line and smaller gaps. Content that still does not fit is scrolled. At a large
/// `zoom`, boxes have several lines again. O(lanes).
DagHeights heightsOf(const DagContent& content, double height, double zoom);

} // namespace sunder
