#pragma once

#include "panes/partition_dag/dag_chips.h"

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// Where everything of a DagContent lies, in pixels at 100 %: lanes one below the other, boxes stepping down to the right
/// in order of execution; a box that is unfolded takes the whole width. Ribbons to the next box go straight down, longer
/// ones pass on the left, backward ones on the right, so that none hides behind boxes, be they two or sixty.
struct DagLayout {
    static constexpr double kBoxWidth = 248; ///< of a folded box

    struct RibbonShape {
        QPainterPath path; ///< middle line
        double width = 1;
        QPointF tip;       ///< where it arrives …
        QPointF towards;   ///< … and the way it comes in, of length 1
        QRectF label;      ///< empty where there is no room: shown while it is pointed at
    };

    QSizeF size;
    bool isCompact = false; ///< many boxes: one line each, labels of ribbons only at the one in question
    std::vector<QRectF> lanes;
    std::vector<QRectF> boxes;
    std::vector<QRectF> graphs; ///< per box the place of its graph; empty where it is folded
    std::vector<RibbonShape> ribbons;
    std::vector<DagChip> chips; ///< handles at the edges of boxes; none in a compact layout

    /// The bar of memory in a box.
    [[nodiscard]] QRectF barOf(std::size_t box) const;
    /// The mark that says whether a box is unfolded.
    [[nodiscard]] QRectF foldMarkOf(std::size_t box) const;
    [[nodiscard]] bool isUnfolded(std::size_t box) const { return !graphs[box].isEmpty(); }
    /// Where a label of this width would lie.
    [[nodiscard]] QRectF labelOf(std::size_t ribbon, double textWidth) const;
    [[nodiscard]] int chipAt(QPointF at) const;
    /// −1: none there. Labels count as their ribbon.
    [[nodiscard]] int boxAt(QPointF at) const;
    [[nodiscard]] int ribbonAt(QPointF at) const;
};

/// `width`: what there is; narrower than the least it becomes that. `graphHeights`: per box the height that its graph gets
/// in it, 0 where it is folded; empty: all are. O(boxes + ribbons × labels that are placed).
DagLayout layOut(const DagContent& content, double width, const std::vector<double>& graphHeights = {});

} // namespace sunder
