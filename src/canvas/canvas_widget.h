#pragma once

#include "canvas/canvas_types.h"
#include "canvas/edge_scroll.h"
#include "canvas/fill_preview.h"
#include "canvas/picture_view.h"
#include "canvas/stroke_preview.h"
#include "canvas/tools/tool_box.h"

namespace sunder {

/// Shows a Picture and lets the user navigate, select, and paint in it. All panes show graphs with it. Independent of Document:
/// the owner sets picture and style, user actions are emitted as signals, and the owner responds with a new picture or style.
/// Only strokes are shown before the owner responds.
class CanvasWidget : public PictureView, private ToolHost {
    Q_OBJECT

public:
    explicit CanvasWidget(QWidget* parent = nullptr);

    void setTool(ToolKind tool);
    [[nodiscard]] ToolKind tool() const { return m_tools.chosen(); }
    /// Sets the index into the style's tags that strokes preview; -1: strokes are only reported.
    void setActiveTag(int tag);
    /// Returns the name of that tag; empty if there is none.
    [[nodiscard]] QString activeTagName() const;
    /// Changes the size of the active tool: the radius of brush and eraser, the width of fill and wand.
    void widen(bool isWider);
    /// Sets the preview of a fill in response to fillPointed(); empty: none.
    void setFillPreview(FillPreview preview);
    [[nodiscard]] const FillPreview& fillPreview() const { return m_fill.preview(); }
    /// Sets the radius of brush and eraser in view pixels: 1 … 200.
    void setBrushRadius(double radius);
    [[nodiscard]] double brushRadius() const override { return m_brushRadius; }

    [[nodiscard]] const CanvasScene& scene() const override { return PictureView::scene(); }
    [[nodiscard]] const Camera& camera() const override { return PictureView::camera(); }
    [[nodiscard]] ItemId itemAt(QPointF view) const override { return PictureView::itemAt(view); }
    [[nodiscard]] ItemId currentItem() const override { return PictureView::currentItem(); }

signals:
    void toolChanged(sunder::ToolKind tool);
    /// Emitted when the fill or wand tool points at nodes. `module`: path if it points at a whole module, empty for an op. No
    /// nodes: it points at nothing. The owner responds with setFillPreview().
    void fillPointed(const std::vector<sunder::NodeId>& nodes, const QString& module);
    /// Emitted to execute the fill from these nodes.
    void fillTaken(const std::vector<sunder::NodeId>& nodes, const QString& module);
    /// Emitted for Escape: discard the pointed and picked nodes.
    void fillCancelled();
    /// Emitted to change the scope, or the width, of a fill by this many steps.
    void fillScopeStepped(int by);
    void fillWidthStepped(int by);
    /// Emitted to make the tag of these nodes the active one.
    void tagPicked(const std::vector<sunder::NodeId>& nodes);
    /// Emitted for a double click or Enter on an item that opens or closes; `recursive` with Alt. `key` is a key of
    /// PictureOptions::open.
    void itemActivated(sunder::ItemId item, const QString& key, bool recursive);
    /// Emitted for a double click or Enter on an op.
    void nodeActivated(sunder::NodeId node);
    void selectionRequested(const std::vector<sunder::NodeId>& nodes, sunder::SelectionMode mode);
    /// Emitted when an edge was clicked or reached by keyboard, with its index in the picture. The owner selects it.
    void edgeRequested(std::uint32_t edge);
    /// Emitted before a command navigates to another place.
    void aboutToGo();
    /// Emitted with the nodes under the mouse; empty if there are none.
    void hovered(const std::vector<sunder::NodeId>& nodes);
    /// Emitted when a stroke starts, takes nodes (each node once), and ends. After strokeCancelled() the owner should revert the
    /// stroke.
    void strokeStarted(sunder::StrokeKind kind);
    void strokeExtended(const std::vector<sunder::NodeId>& nodes);
    void strokeFinished();
    void strokeCancelled();
    /// Emitted for Backspace.
    void goUpRequested();
    /// Emitted for a right click or the menu key; the item can be invalid.
    void contextMenuRequested(sunder::ItemId item, const QPoint& globalPosition);
    /// Emitted for the same on an edge outside all items.
    void edgeMenuRequested(std::uint32_t edge, const QPoint& globalPosition);
    /// Emitted for a click on the card of a backward edge, with the index into PictureStyle::backward.
    void backwardCardClicked(int mark, const QPoint& globalPosition);
    void legendDismissed();
    /// Emitted when a note was dragged, with its offset from the upper right corner of the op's box.
    void noteMoved(sunder::NodeId node, const QPointF& offset);
    /// Emitted for a double click on a note.
    void noteActivated(sunder::NodeId node);
    void noteMenuRequested(sunder::NodeId node, const QPoint& globalPosition);

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    // PictureView
    void pictureWillChange() override;
    [[nodiscard]] bool isHasty() const override { return m_stroke.isUnderWay(); }
    void paintOver(QPainter& painter) override;

    // ToolHost
    [[nodiscard]] QColor strokeColor(StrokeKind kind) const override { return m_stroke.color(kind, scene().style()); }
    void panFrom(const Camera& start, QPointF delta) override { setCamera(start.pannedBy(viewport().wholePixels(delta))); }
    void requestSelection(const std::vector<NodeId>& nodes, SelectionMode mode) override { emit selectionRequested(nodes, mode); }
    void makeCurrent(ItemId item) override { setCurrentItem(item); }
    bool requestEdge(QPointF view) override;
    void startStroke(StrokeKind kind) override;
    void extendStroke(const std::vector<NodeId>& nodes) override;
    void finishStroke() override;
    void cancelStroke() override;
    [[nodiscard]] QSizeF viewSize() const override { return size(); }
    void pointFill(ItemId item, QPointF at) override;
    void takeFill(ItemId item) override;
    bool cancelFill() override;
    void requestTagOf(ItemId item) override { emit tagPicked(scene().item(item).nodes); }
    void requestOverlay() override { update(); }

    [[nodiscard]] ToolEvent toolEvent(const QMouseEvent& event) const;
    [[nodiscard]] bool isFilling() const { return tool() == ToolKind::fill || tool() == ToolKind::wand; }
    /// Handles keys with a special meaning while a tool that acts on items is active. Returns false if the key has its usual
    /// meaning.
    bool toolKey(const QKeyEvent& event);
    /// Scrolls the picture during a stroke; returns false at the end of the picture.
    bool scrollBy(QPointF delta);
    [[nodiscard]] std::vector<std::uint32_t> edgesPointedAt(QPointF view) const;
    /// Returns whether the press was handled by an overlay, or by a control of an item.
    bool pressOverlay(const QMouseEvent& event);
    bool pressNote(const QMouseEvent& event);
    bool dragNote(const QMouseEvent& event);
    bool releaseNote();
    bool pressItemControl(const QMouseEvent& event);
    void activateItem(ItemId item, bool recursive);
    void showAsCurrent(ItemId item);
    /// Centers on the item and makes it current.
    void goTo(ItemId item);
    void stepEdge(bool forward);
    /// Moves to the other end of the selected edge; returns false if the current item is neither end.
    bool goAlongEdge();
    void updateHover(QPointF view, bool inside);
    void updateCursor();
    bool walkKey(const QKeyEvent& event);
    bool commandKey(const QKeyEvent& event);

    ToolBox m_tools{*this};
    StrokePreview m_stroke;
    FillOverlay m_fill;
    ItemId m_fillItem; ///< item at which fill or wand points
    EdgeScroll m_edgeScroll{[this](QPointF delta) { return scrollBy(delta); }};
    ToolEvent m_lastMove; ///< last mouse event, for when the picture moves under the mouse
    double m_brushRadius = 6;
    struct HeldNote {
        NodeId node;
        QPointF pressedAt;
    };
    std::optional<HeldNote> m_pressedNote;
    bool m_controlPressed = false; ///< the last press opened or closed an item: ignore the double click that may follow
};

} // namespace sunder
