#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

#include <QRectF>

namespace sunder {

/// A scene as it is seen now: by which camera, in a view of which size.
struct CanvasSight {
    const CanvasScene& scene;
    const Camera& camera;
    QSizeF view;

    [[nodiscard]] Point sceneAt(QPointF at) const
    {
        const QPointF found = camera.toScene(at);
        return {static_cast<float>(found.x()), static_cast<float>(found.y())};
    }
    /// The uppermost item at a point of the view; invalid when there is none.
    [[nodiscard]] ItemId itemAt(QPointF at) const { return scene.index().itemAt(sceneAt(at)); }
    /// Where an item is in the view; empty for an invalid one.
    [[nodiscard]] QRectF viewRectOf(ItemId item) const { return item ? camera.toView(scene.item(item).rect) : QRectF(); }
};

/// True when the point of the view is on the title of this item, and that is an open frame.
bool isOnFrameTitle(const CanvasSight& sight, ItemId item, QPointF at);

} // namespace sunder
