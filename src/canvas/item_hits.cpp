#include "canvas/item_hits.h"

#include "layout/picture/picture_edges.h"

#include <QLineF>

namespace sunder {
namespace {

/// Maximum distance of a hit from an edge, in view pixels.
constexpr double kEdgeReach = 5;

} // namespace

std::vector<std::uint32_t> edgesUnder(const CanvasSight& sight, QPointF at)
{
    const ItemId item = sight.itemAt(at);
    const Point scene = sight.sceneAt(at);
    if (item) {
        for (const Chip& chip : sight.scene.item(item).chips)
            if (chip.rect.contains(scene))
                return cutEdgesOf(*sight.scene.sharedPicture(), item, chip);
        if (sight.scene.item(item).kind != ItemKind::frame || isOnFrameTitle(sight, item, at))
            return {};
    }
    const std::int64_t edge = sight.scene.index().edgeAt(scene, static_cast<float>(kEdgeReach / sight.camera.zoom()));
    return edge < 0 ? std::vector<std::uint32_t>() : std::vector{static_cast<std::uint32_t>(edge)};
}

ItemId otherEnd(const CanvasSight& sight, std::uint32_t index, QPointF at)
{
    const PictureEdge& edge = sight.scene.picture().edges[index];
    const QRectF from = sight.viewRectOf(edge.from);
    const QRectF to = sight.viewRectOf(edge.to);
    const QRectF view(QPointF(), sight.view);
    if (view.intersects(from) != view.intersects(to))
        return view.intersects(from) ? edge.to : edge.from;
    return QLineF(at, from.center()).length() > QLineF(at, to.center()).length() ? edge.from : edge.to;
}

ItemId otherEnd(const CanvasScene& scene, std::uint32_t index, ItemId item)
{
    const PictureEdge& edge = scene.picture().edges[index];
    return edge.from == item ? edge.to : edge.to == item ? edge.from : ItemId();
}

namespace {

/// Size at 100% of the corner with the triangle that opens a closed item.
constexpr double kTriangleArea = 20;
/// Below this zoom, triangles and titles are too small to click.
constexpr double kMinControlZoom = 0.5;

QRectF triangleOf(const CanvasSight& sight, ItemId id)
{
    const QRectF box = sight.viewRectOf(id);
    const double side = kTriangleArea * sight.camera.zoom();
    const bool isFrame = sight.scene.item(id).kind == ItemKind::frame;
    return {isFrame ? box.topLeft() : QPointF(box.right() - side, box.top()), QSizeF(side, side)};
}

} // namespace

ItemControl controlAt(const CanvasSight& sight, QPointF at)
{
    const ItemId id = sight.itemAt(at);
    if (!id)
        return {};
    const Item& item = sight.scene.item(id);
    const Point scene = sight.sceneAt(at);
    for (const Chip& chip : item.chips) {
        if (!chip.rect.contains(scene) || !sight.scene.itemOf(chip.value))
            continue;
        const std::vector<std::uint32_t> cut = cutEdgesOf(*sight.scene.sharedPicture(), id, chip);
        if (!cut.empty())
            return {ItemControl::Kind::edge, chip.value, cut.front()};
        return {ItemControl::Kind::chip, chip.value};
    }
    const bool isHit = item.canOpen && sight.camera.zoom() >= kMinControlZoom && triangleOf(sight, id).contains(at);
    return {isHit ? ItemControl::Kind::triangle : ItemControl::Kind::none, {}};
}

bool isForItem(const ToolHost& host, const ToolEvent& doubleClick)
{
    const bool onGround = doubleClick.item && host.scene().item(doubleClick.item).kind == ItemKind::frame
        && !isOnFrameTitle(host, doubleClick);
    return !onGround || host.camera().zoom() < kMinControlZoom;
}

} // namespace sunder
