#include "canvas/picture_painter.h"

#include "canvas/edge_painter.h"
#include "canvas/item_painter.h"

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
    itemPainter.paintDots();
    edgePainter.paintBackward();
}

} // namespace sunder
