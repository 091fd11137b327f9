#pragma once

#include "panes/partition_dag/dag_chips.h"

#include <QPainterPath>
#include <QRectF>

namespace sunder {

/// Where everything of a DagContent lies, in pixels at 100 %: lanes one below the other, boxes stepping down to the right
/// in order of execution; a box that is unfolded takes the whole width. Ribbons to the next box go straight down, longer
/// ones pass on the left, backward ones on the right, so that none hides behind boxes, be they two or sixty. What many parts
/// read is a chip at the right of each.
struct DagLayout {
    static constexpr double kBoxWidth = 248;        ///< of a folded box
    static constexpr std::size_t kMostTallBoxes = 14; ///< of more, each is one line …
    static constexpr double kDetailed = 1.15;       ///< … until it is seen this large
    static constexpr double kReadable = 0.845;      ///< seen smaller than this, texts and chips are under 8 pixels
    static constexpr std::size_t kFewBoxes = 4;     ///< so many are tall wherever they are
    static constexpr double kLeastFitted = 0.85;    ///< seen this small tall boxes are still good to read

    struct RibbonShape {
        std::size_t from = 0; ///< boxes
        std::size_t to = 0;
        QPainterPath path; ///< middle line
        double width = 1;
        QPointF tip;       ///< where it arrives …
        QPointF towards;   ///< … and the way it comes in, of length 1
        QRectF label;      ///< empty where there is no room: shown while it is pointed at
        QString text;      ///< of the label
    };

    QSizeF size;
    bool isCompact = false; ///< many boxes: one line each
    bool isDense = false;   ///< these so near to each other that labels of ribbons stand at their right
    bool isFar = false;     ///< seen so small that boxes only have their names, larger than the rest
    bool hasRoomForChips = true; ///< every box shows its chips; else the one in question does, beside it
    double headHeight = 0; ///< of a box above its graph
    double gutter = 0;      ///< x at which lines to chips beside boxes go down
    std::vector<QRectF> lanes;
    std::vector<QRectF> laneTitles; ///< what a lane's name and memory may take
    std::vector<QRectF> boxes;
    std::vector<QRectF> graphs; ///< per box the place of its graph; empty where it is folded
    std::vector<RibbonShape> ribbons; ///< as those of the content
    std::vector<DagChip> chips; ///< by box: handles that enter, handles that leave, then what is beside it

    /// The bar of memory in a box.
    [[nodiscard]] QRectF barOf(std::size_t box) const;
    /// The mark that says whether a box is unfolded.
    [[nodiscard]] QRectF foldMarkOf(std::size_t box) const;
    [[nodiscard]] bool isUnfolded(std::size_t box) const { return !graphs[box].isEmpty(); }
    /// Where a label of this width would lie.
    [[nodiscard]] QRectF labelOf(std::size_t ribbon, double textWidth) const;
    /// The line from where a shared value is made to a box that reads it, on demand.
    [[nodiscard]] QPainterPath sharedLine(const DagContent& content, std::size_t shared, std::size_t box) const;
    /// −1: none there. Labels count as their ribbon.
    [[nodiscard]] int boxAt(QPointF at) const;
    [[nodiscard]] int ribbonAt(QPointF at) const;
    /// How many boxes lie above `y`, with fractions: the same place in another layout of the same boxes is at yOf() that.
    [[nodiscard]] double rowAt(double y) const;
    [[nodiscard]] double yOf(double row) const;
};

struct DagLayoutOptions {
    double width = 0; ///< what there is; narrower than the least it becomes that
    double height = 0; ///< that all should fit into at 100 %; 0: as high as it likes
    double zoom = 1;  ///< at which it is seen: what cannot be read then is left out, what can be pulled stays large enough
    std::vector<double> graphHeights = {}; ///< per box the height that its graph gets in it, 0 where it is folded; empty: all are
};

/// O(boxes + ribbons × labels that are placed).
DagLayout layOut(const DagContent& content, const DagLayoutOptions& options);

} // namespace sunder
