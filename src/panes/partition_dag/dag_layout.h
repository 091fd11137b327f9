#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// Where everything of a DagContent lies, in pixels at 100 %: lanes one below the other, boxes stepping down to the right
/// in order of execution. Ribbons to the next box go straight down, longer ones pass on the left, backward ones on the
/// right, so that none hides behind boxes, be they two or sixty.
struct DagLayout {
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
    std::vector<RibbonShape> ribbons;

    /// The bar of memory in a box.
    [[nodiscard]] QRectF barOf(std::size_t box) const;
    /// Where a label of this width would lie.
    [[nodiscard]] QRectF labelOf(std::size_t ribbon, double textWidth) const;
    /// −1: none there. Labels count as their ribbon.
    [[nodiscard]] int boxAt(QPointF at) const;
    [[nodiscard]] int ribbonAt(QPointF at) const;
};

/// `width`: what there is; narrower than the least it becomes that. O(boxes + ribbons × labels that are placed).
DagLayout layOut(const DagContent& content, double width);

} // namespace sunder
