#pragma once

#include "panes/partition_dag/dag_layout.h"
#include "panes/partition_dag/dag_place.h"

#include <span>

namespace sunder {

/// What stands in the Partition DAG besides the cut itself.
struct DagMarks {
    std::vector<std::size_t> selectedOps; ///< per box: ops of it that are selected
    std::vector<char> hoveredBoxes;       ///< per box: an op in it is under the mouse somewhere
    std::vector<char> selectedHandles;      ///< per handle: its op is selected, or under the mouse somewhere
    std::vector<char> selectedShared;       ///< per shared value: it is selected, with few others
    int box = -1;         ///< under the mouse here
    int ribbon = -1;
    int chip = -1;
    int currentBox = -1;  ///< where the keyboard is; −1 when it is elsewhere
    int currentRibbon = -1;
    int currentChip = -1;
    int openRibbon = -1;  ///< whose tensors are listed
    int target = -1;      ///< box that a move would go to
    bool targetIsLegal = true;
    bool hasFocus = false;

    DagMarks() = default;
    /// Nothing is marked of this content.
    explicit DagMarks(const DagContent& content);

    [[nodiscard]] DagPlace current() const;
    void setCurrent(DagPlace place);
    /// What is under the mouse here.
    [[nodiscard]] DagPlace pointed() const;
    void setPointed(DagPlace place);
};

/// The chips that are to be seen, as indices into DagLayout::chips in the order of painting: those beside boxes, and at edges
/// all or, where they have no room, those of the box where the keyboard is and, when boxes are large enough to be told apart,
/// of the one under the mouse. Boxes that are near to each other show them when they were picked: they cover
/// neighbours. O(chips).
std::vector<std::size_t> shownChips(const DagLayout& layout, const DagMarks& marks);

/// Whether a ribbon has a label while these chips are shown: they are in front. O(chips).
bool isLabelShown(const DagLayout& layout, std::span<const std::size_t> shownChips, std::size_t ribbon);

/// A line from where a shared value is made to a box that reads it.
struct SharedLine {
    std::size_t shared = 0;
    std::size_t to = 0; ///< box
    friend bool operator==(const SharedLine&, const SharedLine&) = default;
};

/// Those of the chip under the mouse and of the one where the keyboard is (at a reader its own, at the maker all), and of
/// values that are selected. O(lines).
std::vector<SharedLine> shownLines(const DagContent& content, const DagLayout& layout, const DagMarks& marks);

/// The chip that is seen there, −1: none.
int chipAt(const DagLayout& layout, const DagMarks& marks, QPointF at);

} // namespace sunder
