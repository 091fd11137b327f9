#pragma once

#include "panes/partition_dag/dag_chips.h"

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// The geometry of a DagContent, in pixels at 100%. Lanes are stacked; boxes step down to the right in execution order; an
/// unfolded box takes the full width. Edges to the next box go straight down, longer ones pass on the left, and backward ones
/// on the right, so that no edge is hidden behind boxes. Values with many consumers are chips to the right of each box.
struct DagLayout {
    static constexpr std::size_t kMaxTallBoxes = 14; ///< with more boxes, each has one line …
    static constexpr double kDetailed = 1.15;       ///< … up to this zoom
    static constexpr double kReadable = 0.845;      ///< below this zoom, texts and chips are under 8 pixels
    static constexpr std::size_t kFewBoxes = 4;     ///< with at most this many boxes, all have several lines
    static constexpr double kMinFitted = 0.85;    ///< minimum zoom at which multi-line boxes are readable

    struct CutEdgeShape {
        std::size_t from = 0; ///< boxes
        std::size_t to = 0;
        QPainterPath path; ///< center line
        double width = 1;
        QPointF tip;       ///< end point
        QPointF towards;   ///< direction at the end point, of length 1
        QRectF label;      ///< empty if there is no room: shown on hover
        QString text;      ///< of the label
    };

    QSizeF size;
    double boxWidth = 0; ///< of a folded box; larger in a wide pane, where it has room for more chips
    bool isCompact = false; ///< one line per box, for many boxes
    bool isDense = false;   ///< compact, with gaps so low that edge labels are to the right of boxes
    bool isFar = false;     ///< zoomed out so far that boxes show only their names, enlarged
    bool hasRoomForChips = true; ///< all boxes show their handles; otherwise only the current or hovered one, outside its edges
    double headHeight = 0; ///< height of a box above its graph
    double gutter = 0;      ///< x of the vertical lines to shared values
    std::vector<QRectF> lanes;
    std::vector<QRectF> laneTitles; ///< space for a lane's name and memory
    std::vector<QRectF> boxes;
    std::vector<QRectF> graphs; ///< rectangle of the graph per box; empty if folded
    std::vector<CutEdgeShape> cutEdges; ///< parallel to DagContent::cutEdges
    std::vector<DagChip> chips; ///< by box: entering handles, leaving handles, shared values

    /// Returns the rectangle of the memory bar of a box.
    [[nodiscard]] QRectF barOf(std::size_t box) const;
    /// Returns the rectangle of the fold mark of a box.
    [[nodiscard]] QRectF foldMarkOf(std::size_t box) const;
    [[nodiscard]] bool isUnfolded(std::size_t box) const { return !graphs[box].isEmpty(); }
    /// Returns the position for a label of this width.
    [[nodiscard]] QRectF labelOf(std::size_t cutEdge, double textWidth) const;
    /// Returns the line from the producer of a shared value to a consuming box; computed on demand.
    [[nodiscard]] QPainterPath sharedLine(const DagContent& content, std::size_t shared, std::size_t box) const;
    /// Return the item at a point; −1: none. A label counts as its edge.
    [[nodiscard]] int boxAt(QPointF at) const;
    [[nodiscard]] int cutEdgeAt(QPointF at) const;
    /// Returns the fractional number of boxes above `y`. yOf() maps it to the same place in another layout of the same boxes.
    [[nodiscard]] double rowAt(double y) const;
    [[nodiscard]] double yOf(double row) const;
};

struct DagLayoutOptions {
    double width = 0; ///< available width; the layout is wider if it needs more
    double height = 0; ///< height to fit into at 100%; 0: unlimited
    double zoom = 1; ///< current zoom: unreadable details are omitted, draggable items stay large enough
    std::vector<double> graphHeights = {}; ///< height of the graph per box, 0 if folded; empty: all are folded
};

/// Computes the layout. O(boxes + edges × placed labels).
DagLayout layOut(const DagContent& content, const DagLayoutOptions& options);

} // namespace sunder
