#include "canvas/picture_painter.h"

#include "canvas/edge_painter.h"
#include "canvas/item_painter.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sunder {

void paintPicture(QPainter& painter, const PaintContext& context, const PictureIndex& index)
{
    // Stacks, rings and arrow heads reach a little beyond what the index knows.
    constexpr float kReach = 14;
    const Rect seen = grown(context.camera.toScene(context.view), kReach);
    const std::vector<std::uint32_t> items = index.itemsIn(seen);
    ItemPainter itemPainter(painter, context);
    EdgePainter edgePainter(painter, context);
    for (const std::uint32_t i : items)
        if (context.picture.items[i].kind == ItemKind::frame)
            itemPainter.paintFrame(ItemId(i));
    edgePainter.paint(index.edgesIn(seen));
    for (const std::uint32_t i : items)
        if (context.picture.items[i].kind == ItemKind::frame)
            itemPainter.paintFrameTitle(ItemId(i));
        else
            itemPainter.paintClosed(ItemId(i));
    edgePainter.paintBackward();
}

namespace {

/// What of the marks that share a pixel is seen: errors before rings before tags.
std::uint8_t weightOf(const ItemLook& look)
{
    if (look.marked || look.backward)
        return 4;
    if (look.selected || look.partSelected || look.found || look.counterpart)
        return 3;
    return look.tag != PictureStyle::kTakesNoTag && look.tag != PictureStyle::kUntagged ? 2 : 1;
}

/// Where a million marks lie on a few thousand pixels, one a pixel is painted: the first of those with the most weight.
class PixelMarks {
public:
    PixelMarks(const PaintContext& context, const PictureTables& tables)
        : m_context(context), m_tables(tables), m_scale(context.zoom() * context.pixelRatio), m_columns(static_cast<std::size_t>(std::ceil(context.view.width() * context.pixelRatio)) + 1),
          m_rows(static_cast<std::size_t>(std::ceil(context.view.height() * context.pixelRatio)) + 1), m_marks(m_columns * m_rows)
    {
    }

    /// False for a mark that is larger than a pixel or lies outside.
    bool take(ItemId id)
    {
        const Rect& rect = m_tables.rectOf(id);
        if (rect.width * m_scale > 1 || rect.height * m_scale > 1)
            return false;
        const QPointF at = (m_context.camera.toView(rect).topLeft() - m_context.view.topLeft()) * m_context.pixelRatio;
        if (!(at.x() >= 0) || !(at.y() >= 0) || at.x() >= static_cast<double>(m_columns) || at.y() >= static_cast<double>(m_rows))
            return false;
        Mark& mark = m_marks[static_cast<std::size_t>(at.y()) * m_columns + static_cast<std::size_t>(at.x())];
        if (const std::uint8_t weight = weightOf(m_context.looks[id]); weight > mark.weight)
            mark = {id, weight};
        return true;
    }

    void paint(ItemPainter& painter) const
    {
        for (const Mark& mark : m_marks)
            if (mark.weight > 0)
                painter.paintMark(mark.item);
    }

private:
    struct Mark {
        ItemId item;
        std::uint8_t weight = 0;
    };

    const PaintContext& m_context;
    const PictureTables& m_tables;
    double m_scale;
    std::size_t m_columns;
    std::size_t m_rows;
    std::vector<Mark> m_marks; ///< per pixel
};

} // namespace

void paintPictureMarks(QPainter& painter, const PaintContext& context, const PictureTables& tables)
{
    ItemPainter itemPainter(painter, context);
    PixelMarks marks(context, tables);
    for (std::uint32_t i = 0; i < context.picture.items.size(); ++i) {
        if (tables.isFrame(ItemId(i)))
            itemPainter.paintFrame(ItemId(i));
        else if (!marks.take(ItemId(i)))
            itemPainter.paintMark(ItemId(i));
    }
    marks.paint(itemPainter);
}

} // namespace sunder
