#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QRectF>

namespace sunder {

/// A handle at the edge of a box, a shared value beside a box, or what stands for those that have no room there.
struct DagChip {
    static constexpr double kHeight = 15; ///< at 100 %
    std::size_t box = 0;
    bool leaves = false;   ///< at the lower edge; else at the upper one. Beside a box: it makes the value
    bool isBeside = false; ///< a shared value, or the rest of them; else at an edge
    bool isShort = false;  ///< of one that leaves beside a box
    int handle = -1;       ///< index into DagContent::handles
    int shared = -1;       ///< index into DagContent::shared; of none of the two: the rest
    std::size_t rest = 0;  ///< of −1: how many it stands for
    QRectF rect;
};

/// What a chip says: the op's name, "mask 4.0 kB", "mask · read by 11 parts", "mask ↗ 11", "+4".
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

/// The chips of what is shared by a box: what it reads, then what it makes, one below the other as high as `room`, then in further
/// columns. What has no room is counted by the last. O(shared).
std::vector<DagChip> sharedChipsOf(const DagContent& content, std::size_t box, const QRectF& room);

/// How wide these are where there is room for all of them, in columns of this height; 0 where nothing is shared.
double widthOfSharedChips(const DagContent& content, std::size_t box, double height);

/// "add_31 in stage0: goes to stage1, 64 B", "4 more ops of stage0 that others read".
QString describe(const DagContent& content, const DagChip& chip);

} // namespace sunder
