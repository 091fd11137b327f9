#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_sight.h"
#include "canvas/canvas_types.h"

#include <QCursor>
#include <QPainter>

namespace sunder {

/// What a tool may ask of and do to the canvas that it works in.
class ToolHost {
public:
    virtual ~ToolHost() = default;
    [[nodiscard]] virtual const CanvasScene& scene() const = 0;
    [[nodiscard]] virtual const Camera& camera() const = 0;
    [[nodiscard]] virtual ItemId itemAt(QPointF view) const = 0;
    [[nodiscard]] virtual double brushRadius() const = 0;
    /// Colour of the tag that strokes give; invalid when there is none.
    [[nodiscard]] virtual QColor strokeColor(StrokeKind kind) const = 0;
    virtual void panFrom(const Camera& start, QPointF viewDelta) = 0;
    virtual void requestSelection(const std::vector<NodeId>& nodes, SelectionMode mode) = 0;
    virtual void makeCurrent(ItemId item) = 0;
    /// Selects the edge at a point of the view; false when there is none.
    virtual bool requestEdge(QPointF view) = 0;
    virtual void startStroke(StrokeKind kind) = 0;
    virtual void extendStroke(const std::vector<NodeId>& nodes) = 0;
    virtual void finishStroke() = 0;
    virtual void cancelStroke() = 0;
    virtual void requestOverlay() = 0; ///< the tool's own painting has changed
};

/// A mouse event as tools see it.
struct ToolEvent {
    QPointF view;
    Qt::KeyboardModifiers modifiers;
    ItemId item; ///< under the mouse
};

/// One behaviour of the left button, from press to release.
class CanvasTool {
public:
    virtual ~CanvasTool() = default;
    virtual void activate(ToolHost&) {}
    virtual void pressed(ToolHost& host, const ToolEvent& event) = 0;
    virtual void moved(ToolHost& host, const ToolEvent& event) = 0; ///< with the button down
    virtual void released(ToolHost& host, const ToolEvent& event) = 0;
    virtual void hovered(ToolHost&, const ToolEvent&) {} ///< without a button
    /// Gives up what is under way; false when there is nothing.
    virtual bool cancel(ToolHost&) { return false; }
    virtual void deactivate(ToolHost& host) { cancel(host); }
    /// Over the picture, in view coordinates.
    virtual void paint(const ToolHost&, QPainter&) const {}
    [[nodiscard]] virtual QCursor cursor() const { return Qt::ArrowCursor; }
};

/// The nodes of the frame or closed item when its body or title band is hit; empty for the ground of a frame.
std::vector<NodeId> nodesUnder(const ToolHost& host, const ToolEvent& event);

/// True when the point is on the title of an open frame.
bool isOnFrameTitle(const ToolHost& host, const ToolEvent& event);

/// The rectangle between two corners as selecting tools draw it.
void paintRubberBand(QPainter& painter, const QRectF& rect, const QColor& color);

} // namespace sunder
