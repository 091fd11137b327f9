#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QRectF>

namespace sunder {

/// A handle at the edge of a box, or what stands for those that have no room there.
struct DagChip {
    static constexpr double kHeight = 15; ///< at 100 %
    std::size_t box = 0;
    bool leaves = false;   ///< at the lower edge; else at the upper one
    int handle = -1;       ///< index into DagContent::handles; −1: the rest
    std::size_t rest = 0;  ///< of −1: how many it stands for
    QRectF rect;
};

/// What a chip says: the op's name, "+4".
QString textOf(const DagContent& content, const DagChip& chip);

/// Where the chips of one edge of a box are to go.
struct DagChipRow {
    double left = 0;
    double right = 0;
    double y = 0;     ///< their middle
    double scale = 1; ///< of their size
};

/// The chips of one edge of a box: handles in graph order, those with the most bytes where not all have room, and the rest.
/// O(handles that are tried).
std::vector<DagChip> chipsOf(const DagContent& content, std::size_t box, bool leaves, const DagChipRow& row);

/// "add_31 in stage0: goes to stage1, 64 B", "4 more ops of stage0 that others read".
QString describe(const DagContent& content, const DagChip& chip);

} // namespace sunder
