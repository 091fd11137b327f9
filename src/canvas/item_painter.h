#pragma once

#include "canvas/label_painter.h"
#include "canvas/paint_context.h"

#include <QLineF>
#include <QPainterPath>
#include <QVector>

namespace sunder {

/// Titles of frames have at least 8 px at this zoom.
bool hasReadableFrameTitles(double zoom);

/// Paints frames, modules, runs and nodes as `docs/pictures.md` describes them.
class ItemPainter final {
public:
    ItemPainter(QPainter& painter, const PaintContext& context) : m_painter(painter), m_context(context), m_labels(painter) {}

    /// The pale ground of an open module.
    void paintFrame(ItemId item);
    /// Its title, over the edges that cross it.
    void paintFrameTitle(ItemId item);
    /// A node, a closed module or a run, with its chips.
    void paintClosed(ItemId item);
    /// Only a spot of its tag's colours, red where it stands in the way.
    void paintMark(ItemId item);
    /// What stands for edges at the closed items painted so far that were too small for their chips: a dot for each chip, and one
    /// where a value goes everywhere.
    void paintDots();

private:
    struct Colors {
        QColor fill, border, text, dim;
    };

    void paintSmallBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at);
    void paintBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at);
    void paintStack(const QRectF& at, double radius, const Colors& colors);
    void paintStripe(const QRectF& at, double radius, const TagStyle& style);
    void paintStrip(ItemId id, const QRectF& at, double radius);
    void paintTexts(const Item& item, const ItemLook& look, const QRectF& at, Detail detail, const Colors& colors);
    /// Paints what stands at the right of line 1 and returns the width taken. The note must fit into `noteRoom`.
    double paintCorner(const Item& item, const ItemLook& look, QPointF baseline, double scale, double room, double noteRoom);
    void paintRings(const ItemLook& look, const QRectF& at, double radius);
    void paintChips(const Item& item);
    void noteDots(const Item& item, bool isMark);
    void addDot(const Item& item, QPointF at);
    [[nodiscard]] QColor frameFill(const Item& frame) const;
    [[nodiscard]] Colors colorsOf(const Item& item, const ItemLook& look) const;
    [[nodiscard]] const TagLook* tagLook(std::int32_t tag) const;

    QPainter& m_painter;
    const PaintContext& m_context;
    LabelPainter m_labels;
    QVector<QLineF> m_stubs; ///< from items to their dots
    QVector<QRectF> m_dots;
};

/// The colour by which a tag is seen where there is no room for more; a quiet one for what has none.
QColor markColor(const PictureStyle& style, std::int32_t tag);

} // namespace sunder
