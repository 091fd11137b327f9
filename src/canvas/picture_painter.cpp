#include "canvas/picture_painter.h"

#include "canvas/edge_painter.h"
#include "canvas/item_painter.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <span>

namespace sunder {
namespace {

using Indices = std::vector<std::uint32_t>;

bool isFrame(const PaintContext& context, std::uint32_t item)
{
    return context.picture.items[item].kind == ItemKind::frame;
}

void paintFrames(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> items)
{
    ItemPainter itemPainter(painter, context);
    for (const std::uint32_t i : items)
        if (isFrame(context, i))
            itemPainter.paintFrame(ItemId(i));
}

void paintItems(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> items)
{
    ItemPainter itemPainter(painter, context);
    for (const std::uint32_t i : items)
        if (isFrame(context, i))
            itemPainter.paintFrameTitle(ItemId(i));
        else
            itemPainter.paintClosed(ItemId(i));
    itemPainter.paintDots();
}

void paintEdges(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> edges)
{
    EdgePainter(painter, context).paint(edges);
}

using PaintIndices = void (*)(QPainter&, const PaintContext&, std::span<const std::uint32_t>);

void addPieces(std::vector<PaintPiece>& pieces, const PaintContext& context, const std::shared_ptr<const Indices>& of,
               std::size_t most, PaintIndices paint)
{
    for (std::size_t begin = 0; begin < of->size(); begin += std::min(most, of->size() - begin))
        pieces.emplace_back([&context, of, begin, most, paint](QPainter& painter) {
            paint(painter, context, std::span(*of).subspan(begin, std::min(most, of->size() - begin)));
        });
}

} // namespace

std::vector<PaintPiece> paintPieces(const PaintContext& context, const PictureIndex& index, std::size_t most)
{
    // Stacks, rings, and arrowheads extend a little beyond the rectangles in the index.
    constexpr float kReach = 14;
    const Rect seen = grown(context.camera.toScene(context.view), kReach);
    const auto items = std::make_shared<const Indices>(index.itemsIn(seen));
    const auto edges = std::make_shared<const Indices>(index.edgesIn(seen));
    std::vector<PaintPiece> pieces;
    addPieces(pieces, context, items, most, paintFrames);
    addPieces(pieces, context, edges, most, paintEdges);
    addPieces(pieces, context, items, most, paintItems);
    pieces.emplace_back([&context](QPainter& painter) { EdgePainter(painter, context).paintBackward(); });
    return pieces;
}

void paintPicture(QPainter& painter, const PaintContext& context, const PictureIndex& index)
{
    for (const PaintPiece& piece : paintPieces(context, index, std::numeric_limits<std::size_t>::max()))
        piece(painter);
}

} // namespace sunder
