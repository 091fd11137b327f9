#pragma once

#include "panes/partition_dag/dag_hit.h"
#include "panes/partition_dag/dag_layout.h"

#include <span>

namespace sunder {

/// Decorations of the Partition DAG: selection, hover, keyboard focus, and move target.
struct DagDecorations {
    std::vector<std::size_t> selectedOps; ///< per box: number of selected ops
    std::vector<char> hoveredBoxes;       ///< per box: whether one of its ops is hovered in any view
    std::vector<char> selectedHandles;      ///< per handle: whether its op is selected, or hovered in any view
    std::vector<char> selectedShared;       ///< per shared value: whether it is selected, in a small selection
    int box = -1;         ///< under the mouse in this view
    int cutEdge = -1;
    int chip = -1;
    int currentBox = -1;  ///< keyboard focus; −1: elsewhere
    int currentCutEdge = -1;
    int currentChip = -1;
    int openCutEdge = -1;  ///< edge whose tensors are listed
    int target = -1;      ///< target box of a move
    bool targetIsLegal = true;
    bool hasFocus = false;

    DagDecorations() = default;
    /// Creates empty decorations for this content.
    explicit DagDecorations(const DagContent& content);

    [[nodiscard]] DagHit current() const;
    void setCurrent(DagHit place);
    /// The place under the mouse in this view.
    [[nodiscard]] DagHit pointed() const;
    void setPointed(DagHit place);
};

/// Returns the visible chips as indices into DagLayout::chips, in painting order. Chips of shared values are always visible.
/// Handles are all visible if they fit; otherwise only those of the box with the keyboard focus and, if boxes are large enough to
/// point at, of the hovered box. Dense boxes show handles only when picked because handles cover adjacent boxes. O(chips).
std::vector<std::size_t> shownChips(const DagLayout& layout, const DagDecorations& marks);

/// Returns whether an edge's label is visible; these chips are drawn over labels. O(chips).
bool isLabelShown(const DagLayout& layout, std::span<const std::size_t> shownChips, std::size_t cutEdge);

/// A line from the producer of a shared value to a consuming box.
struct SharedLine {
    std::size_t shared = 0;
    std::size_t to = 0; ///< box
    friend bool operator==(const SharedLine&, const SharedLine&) = default;
};

/// Returns the visible lines: of the hovered chip, of the focused chip, and of selected values. A consumer's chip shows its own
/// line, the producer's chip shows all. O(lines).
std::vector<SharedLine> shownLines(const DagContent& content, const DagLayout& layout, const DagDecorations& marks);

/// Returns the visible chip at a point; −1: none.
int chipAt(const DagLayout& layout, const DagDecorations& marks, QPointF at);

} // namespace sunder
