#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_sight.h"
#include "canvas/canvas_types.h"

#include <QCursor>
#include <QPainter>

namespace sunder {

/// The interface of a canvas for its tools.
class ToolHost {
public:
    virtual ~ToolHost() = default;
    [[nodiscard]] virtual const CanvasScene& scene() const = 0;
    [[nodiscard]] virtual const Camera& camera() const = 0;
    [[nodiscard]] virtual ItemId itemAt(QPointF view) const = 0;
    /// The item for keyboard commands; invalid if there is none.
    [[nodiscard]] virtual ItemId currentItem() const = 0;
    [[nodiscard]] virtual QSizeF viewSize() const = 0;
    [[nodiscard]] virtual double brushRadius() const = 0;
    /// The color of the tag that strokes assign; invalid if there is none.
    [[nodiscard]] virtual QColor strokeColor(StrokeKind kind) const = 0;
    virtual void panFrom(const Camera& start, QPointF viewDelta) = 0;
    virtual void requestSelection(const std::vector<NodeId>& nodes, SelectionMode mode) = 0;
    virtual void makeCurrent(ItemId item) = 0;
    /// Selects the edge at a point of the view; returns false if there is none.
    virtual bool requestEdge(QPointF view) = 0;
    virtual void startStroke(StrokeKind kind) = 0;
    virtual void extendStroke(const std::vector<NodeId>& nodes) = 0;
    virtual void finishStroke() = 0;
    virtual void cancelStroke() = 0;
    /// Shows the preview of a fill from an item, `at` a point of the view; an invalid item: no preview.
    virtual void pointFill(ItemId item, QPointF at) = 0;
    virtual void takeFill(ItemId item) = 0;
    /// Discards the pointed and picked items; returns false if there were none.
    virtual bool cancelFill() = 0;
    /// Makes the item's tag the active one.
    virtual void requestTagOf(ItemId item) = 0;
    virtual void requestOverlay() = 0; ///< repaints the tool's own painting
};

/// Returns the visible part of the scene.
Rect seenScene(const ToolHost& host);

/// A mouse event for tools.
struct ToolEvent {
    QPointF view;
    Qt::KeyboardModifiers modifiers;
    ItemId item; ///< under the mouse
};

/// A function of the left mouse button, from press to release.
class CanvasTool {
public:
    virtual ~CanvasTool() = default;
    virtual void activate(ToolHost&) {}
    virtual void pressed(ToolHost& host, const ToolEvent& event) = 0;
    virtual void moved(ToolHost& host, const ToolEvent& event) = 0; ///< with the button pressed
    virtual void released(ToolHost& host, const ToolEvent& event) = 0;
    virtual void hovered(ToolHost&, const ToolEvent&) {} ///< without a button
    /// Applies the tool to the item by keyboard, as a click does. Returns false if the tool does not act on items.
    virtual bool used(ToolHost&, ItemId) { return false; }
    /// Called when the item became current by keyboard.
    virtual void reached(ToolHost&, ItemId) {}
    /// Returns whether the view scrolls while the mouse is pressed near its edge.
    [[nodiscard]] virtual bool scrollsAtEdge() const { return false; }
    /// Cancels the current action; returns false if there is none.
    virtual bool cancel(ToolHost&) { return false; }
    virtual void deactivate(ToolHost& host) { cancel(host); }
    /// Paints over the picture, in view coordinates.
    virtual void paint(const ToolHost&, QPainter&) const {}
    [[nodiscard]] virtual QCursor cursor() const { return Qt::ArrowCursor; }
};

/// Returns the nodes of a closed item, or of a frame if its title band was hit; empty for the background of a frame.
std::vector<NodeId> nodesUnder(const ToolHost& host, const ToolEvent& event);

/// Performs a complete stroke that takes these nodes; does nothing if there are none.
void strokeOnce(ToolHost& host, StrokeKind kind, const std::vector<NodeId>& nodes);

/// Returns the nodes that an area tool paints by keyboard: of all selected items if the item is one of them, otherwise of the
/// item.
std::vector<NodeId> nodesByKey(const ToolHost& host, ItemId item);

/// Returns e.g. "19 ops": the number of these nodes that take a tag.
QString opsAmong(const ToolHost& host, std::span<const NodeId> nodes);

/// Paints a short text next to the mouse: the effect of a release.
void paintBeside(QPainter& painter, const Theme& theme, QPointF at, const QString& words);

/// Returns whether the point is on the title of an open frame.
bool isOnFrameTitle(const ToolHost& host, const ToolEvent& event);

/// Paints the rectangle of selecting tools.
void paintRubberBand(QPainter& painter, const QRectF& rect, const QColor& color);

} // namespace sunder
