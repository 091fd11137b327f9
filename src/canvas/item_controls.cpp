#include "canvas/item_controls.h"

#include "layout/picture/picture_edges.h"

namespace sunder {
namespace {

/// Size at 100 % of the corner with the triangle that opens a closed item.
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
