#include "canvas/canvas_sight.h"

#include <algorithm>

namespace sunder {

bool isOnFrameTitle(const CanvasSight& sight, ItemId item, QPointF at)
{
    if (!item || sight.scene.item(item).kind != ItemKind::frame)
        return false;
    constexpr double kBand = 22;
    constexpr double kMinBand = 14;
    return at.y() - sight.viewRectOf(item).top() <= std::max(kBand * sight.camera.zoom(), kMinBand);
}

} // namespace sunder
