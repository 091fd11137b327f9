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
    /// The item that keys act on; invalid when there is none.
    [[nodiscard]] virtual ItemId currentItem() const = 0;
    [[nodiscard]] virtual QSizeF viewSize() const = 0;
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
    /// Shows what a fill would take from an item, `at` a point of the view; an invalid one: nothing.
    virtual void pointFill(ItemId item, QPointF at) = 0;
    virtual void takeFill(ItemId item) = 0;
    /// Forgets what was pointed at and picked; false when there was nothing.
    virtual bool cancelFill() = 0;
    /// The item's tag is to be the active one.
    virtual void requestTagOf(ItemId item) = 0;
    virtual void requestOverlay() = 0; ///< the tool's own painting has changed
};

/// The part of the scene that is in view.
Rect seenScene(const ToolHost& host);

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
    /// The keyboard's way: what a click on the item would do. False when the tool does nothing to items.
    virtual bool used(ToolHost&, ItemId) { return false; }
    /// The item is the current one now, by keys.
    virtual void reached(ToolHost&, ItemId) {}
    /// While it is pressed, the view moves on where the mouse comes to its edge.
    [[nodiscard]] virtual bool scrollsAtEdge() const { return false; }
    /// Gives up what is under way; false when there is nothing.
    virtual bool cancel(ToolHost&) { return false; }
    virtual void deactivate(ToolHost& host) { cancel(host); }
    /// Over the picture, in view coordinates.
    virtual void paint(const ToolHost&, QPainter&) const {}
    [[nodiscard]] virtual QCursor cursor() const { return Qt::ArrowCursor; }
};

/// The nodes of the frame or closed item when its body or title band is hit; empty for the ground of a frame.
std::vector<NodeId> nodesUnder(const ToolHost& host, const ToolEvent& event);

/// One whole stroke that takes these nodes; none where there are none.
void strokeOnce(ToolHost& host, StrokeKind kind, const std::vector<NodeId>& nodes);

/// What a key paints that has a tool for areas: all selected items when the item is one of them, else the item.
std::vector<NodeId> nodesByKey(const ToolHost& host, ItemId item);

/// "19 ops": how many of these take a tag.
QString opsAmong(const ToolHost& host, std::span<const NodeId> nodes);

/// A few words beside the mouse: what a release would do.
void paintBeside(QPainter& painter, const Theme& theme, QPointF at, const QString& words);

/// True when the point is on the title of an open frame.
bool isOnFrameTitle(const ToolHost& host, const ToolEvent& event);

/// The rectangle between two corners as selecting tools draw it.
void paintRubberBand(QPainter& painter, const QRectF& rect, const QColor& color);

} // namespace sunder
