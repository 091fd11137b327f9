#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QRectF>

namespace sunder {

/// A handle at the edge of a box, a shared value to the right of a box, or a count of those that do not fit.
struct DagChip {
    static constexpr double kHeight = 15; ///< at 100%
    std::size_t box = 0;
    bool leaves = false;   ///< at the lower edge, not the upper one; for a shared value: the box produces it
    bool isBeside = false; ///< shared values, drawn to the right of the box; otherwise at an edge
    bool isShort = false;  ///< short text of a shared value that the box produces
    int handle = -1;       ///< index into DagContent::handles; −1: none
    int shared = -1;       ///< index into DagContent::shared; if both are −1, the chip is a count
    std::size_t rest = 0;  ///< number of chips that a count replaces
    QRectF rect;
};

/// Returns the text of a chip: the op's name, "mask 4.0 kB", "mask · read by 11 parts", "mask ↗ 11", or "+4".
QString textOf(const DagContent& content, const DagChip& chip);

/// Position of the chips at one edge of a box.
struct DagChipRow {
    double left = 0;
    double right = 0;
    double y = 0;     ///< vertical center
    double scale = 1; ///< size factor
};

/// Returns the chips at one edge of a box: handles in graph order, and a count of the others. If not all fit, those with the most
/// bytes are shown. O(handles tried).
std::vector<DagChip> chipsOf(const DagContent& content, std::size_t box, bool leaves, const DagChipRow& row);

/// Returns the chips of the shared values of a box, inputs first, in columns of the height of `room`. The last chip counts those
/// that do not fit. O(shared).
std::vector<DagChip> sharedChipsOf(const DagContent& content, std::size_t box, const QRectF& room);

/// Returns the width at which all of these chips fit into columns of this height; 0 if there are none.
double widthOfSharedChips(const DagContent& content, std::size_t box, double height);

/// Describes a chip, e.g. "add_31 in stage0: goes to stage1, 64 B", "4 more ops of stage0 that others read".
QString describe(const DagContent& content, const DagChip& chip);

} // namespace sunder
