#pragma once

#include "canvas/label_painter.h"
#include "canvas/paint_context.h"

#include <QLineF>
#include <QPainterPath>
#include <QVector>

namespace sunder {

/// Returns whether frame titles have at least 8 px at this zoom.
bool hasReadableFrameTitles(double zoom);

/// Paints frames, modules, runs, and nodes as described in `docs/pictures.md`.
class ItemPainter final {
public:
    ItemPainter(QPainter& painter, const PaintContext& context) : m_painter(painter), m_context(context), m_labels(painter) {}

    /// Paints the pale background of an open module.
    void paintFrame(ItemId item);
    /// Paints the title of a frame, over the edges that cross it.
    void paintFrameTitle(ItemId item);
    /// Paints a node, a closed module, or a run, with its chips.
    void paintClosed(ItemId item);
    /// Paints a spot in the color of its tag, or in red if it has a problem.
    void paintMark(ItemId item);
    /// Paints dots for the edges of closed items painted so far that were too small for chips: one per chip, and one for a value
    /// with many consumers.
    void paintDots();

private:
    struct Colors {
        QColor fill, border, text, dim;
    };

    void paintSmallBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at);
    void paintBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at);
    void paintStack(const QRectF& at, double radius, const Colors& colors);
    void paintTags(const Item& item, const ItemLook& look, ItemId id, const QRectF& at, double radius);
    void paintStripe(const QRectF& at, double radius, const TagStyle& style);
    void paintStrip(ItemId id, const QRectF& at, double radius);
    void paintTexts(const Item& item, const ItemLook& look, const QRectF& at, Detail detail, const Colors& colors);
    /// Paints the right part of line 1 and returns its width. The figure and the note must fit into `noteRoom`.
    double paintCorner(const Item& item, const ItemLook& look, const Colors& colors, QPointF baseline, double scale, double room,
                       double noteRoom);
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
    QVector<QLineF> m_stubs; ///< lines from items to their dots
    QVector<QRectF> m_dots;
};

/// Returns the color of a tag for small marks; a neutral color for no tag.
QColor markColor(const PictureStyle& style, std::int32_t tag);
/// Returns the same for an item with one tag, or the color of its cost if the style has costs.
QColor markColor(const PictureStyle& style, const ItemLook& look);

} // namespace sunder
