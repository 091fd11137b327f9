#include "canvas/canvas_tooltip.h"

#include "canvas/item_description.h"

#include <QCoreApplication>

namespace sunder {
namespace {

/// How far from an edge one may point, in pixels of the view.
constexpr double kEdgeReach = 5;

} // namespace

CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow)
{
    if (arrow != nullptr)
        return {
            QCoreApplication::translate("CanvasToolTip", "%1: a click goes to the nearest, G to the next").arg(textOf(*arrow)),
            arrow->rect.toAlignedRect()};
    const ItemId item = sight.itemAt(at);
    if (item && sight.scene.item(item).kind != ItemKind::frame)
        return {tooltipOf(sight.scene, item), sight.viewRectOf(item).toAlignedRect()};
    const auto reach = static_cast<float>(kEdgeReach / sight.camera.zoom());
    const std::int64_t edge = sight.scene.index().edgeAt(sight.sceneAt(at), reach);
    if (edge >= 0)
        return {edgeTooltip(sight.scene, static_cast<std::uint32_t>(edge)), {}};
    return {item ? tooltipOf(sight.scene, item) : QString(), {}};
}

} // namespace sunder
