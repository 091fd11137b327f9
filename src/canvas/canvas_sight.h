#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

#include <QRectF>

namespace sunder {

/// A scene as currently displayed: its camera and the size of its view.
struct CanvasSight {
    const CanvasScene& scene;
    const Camera& camera;
    QSizeF view;

    [[nodiscard]] Point sceneAt(QPointF at) const
    {
        const QPointF found = camera.toScene(at);
        return {static_cast<float>(found.x()), static_cast<float>(found.y())};
    }
    /// Returns the topmost item at a point of the view; invalid if there is none.
    [[nodiscard]] ItemId itemAt(QPointF at) const { return scene.index().itemAt(sceneAt(at)); }
    /// Returns the rectangle of an item in the view; empty for an invalid item.
    [[nodiscard]] QRectF viewRectOf(ItemId item) const { return item ? camera.toView(scene.item(item).rect) : QRectF(); }
};

/// Returns whether `item` is an open frame and the point of the view is on its title.
bool isOnFrameTitle(const CanvasSight& sight, ItemId item, QPointF at);

} // namespace sunder
