#pragma once

#include "canvas/canvas_types.h"
#include "canvas/edge_scroll.h"
#include "canvas/fill_preview.h"
#include "canvas/picture_view.h"
#include "canvas/stroke_preview.h"
#include "canvas/tools/tool_box.h"

namespace sunder {

/// Shows one Picture and lets the person look around, select and paint in it. The one view of graphs in every pane. Knows
/// nothing of documents: what it shows is set, what the person does comes out as signals, and the owner answers by
/// setting a new picture or style. Only strokes show at once, before the owner has answered.
class CanvasWidget : public PictureView, private ToolHost {
    Q_OBJECT

public:
    explicit CanvasWidget(QWidget* parent = nullptr);

    void setTool(ToolKind tool);
    [[nodiscard]] ToolKind tool() const { return m_tools.chosen(); }
    /// Index into the style's tags that strokes show at once; -1: none, strokes only report.
    void setActiveTag(int tag);
    /// Its name; empty when there is none.
    [[nodiscard]] QString activeTagName() const;
    /// What the tool in the hand has more or less of: the radius of brush and eraser, the width of fill and wand.
    void widen(bool isWider);
    /// What a fill would take, in answer to fillPointed(); empty: nothing to show.
    void setFillPreview(FillPreview preview);
    [[nodiscard]] const FillPreview& fillPreview() const { return m_fill.preview(); }
    /// Of brush and eraser, in view pixels: 1 … 200.
    void setBrushRadius(double radius);
    [[nodiscard]] double brushRadius() const override { return m_brushRadius; }

    [[nodiscard]] const CanvasScene& scene() const override { return PictureView::scene(); }
    [[nodiscard]] const Camera& camera() const override { return PictureView::camera(); }
    [[nodiscard]] ItemId itemAt(QPointF view) const override { return PictureView::itemAt(view); }
    [[nodiscard]] ItemId currentItem() const override { return PictureView::currentItem(); }

signals:
    void toolChanged(sunder::ToolKind tool);
    /// Fill or wand points at nodes; `module`: path of the module that was pointed at as a whole, empty for an op. No nodes: at
    /// nothing. The owner answers with setFillPreview().
    void fillPointed(const std::vector<sunder::NodeId>& nodes, const QString& module);
    /// It is to be done from there.
    void fillTaken(const std::vector<sunder::NodeId>& nodes, const QString& module);
    /// Escape: what was pointed at and picked is to be forgotten.
    void fillCancelled();
    /// Another scope is wanted, by so many steps; one wider or narrower.
    void fillScopeStepped(int by);
    void fillWidthStepped(int by);
    /// The tag of these nodes is to be the active one.
    void tagPicked(const std::vector<sunder::NodeId>& nodes);
    /// Double click or Enter on something that opens or closes; `recursive` with Alt. `key` as in PictureOptions::open.
    void itemActivated(sunder::ItemId item, const QString& key, bool recursive);
    /// Double click or Enter on an op.
    void nodeActivated(sunder::NodeId node);
    void selectionRequested(const std::vector<sunder::NodeId>& nodes, sunder::SelectionMode mode);
    /// An edge was clicked, or stepped to: index into the picture's edges. The owner selects it.
    void edgeRequested(std::uint32_t edge);
    /// The view is about to leave for another place, at a command of the person.
    void aboutToGo();
    /// Nodes under the mouse; empty when it leaves them.
    void hovered(const std::vector<sunder::NodeId>& nodes);
    /// A stroke begins, takes nodes (each node once a stroke). Cancelled: the owner should forget it.
    void strokeStarted(sunder::StrokeKind kind);
    void strokeExtended(const std::vector<sunder::NodeId>& nodes);
    void strokeCancelled();
    /// Backspace.
    void goUpRequested();
    /// Right click or the menu key; the item may be invalid.
    void contextMenuRequested(sunder::ItemId item, const QPoint& globalPosition);
    /// The same on an edge, where no item is.
    void edgeMenuRequested(std::uint32_t edge, const QPoint& globalPosition);
    /// Click on the card of a backward edge: index into PictureStyle::backward.
    void backwardCardClicked(int mark, const QPoint& globalPosition);
    void legendDismissed();
    /// A note was dragged: its offset from the upper right corner of the box that shows its op.
    void noteMoved(sunder::NodeId node, const QPointF& offset);
    /// Double click on a note.
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
    /// Keys that mean something else while a tool is chosen that acts on items; false: they mean what they always do.
    bool toolKey(const QKeyEvent& event);
    /// Moves the picture under a stroke; false where it ends.
    bool scrollBy(QPointF delta);
    [[nodiscard]] std::vector<std::uint32_t> edgesPointedAt(QPointF view) const;
    /// True when the press was for what lies over the picture, or for a part of an item that is not the item.
    bool pressOverlay(const QMouseEvent& event);
    bool pressNote(const QMouseEvent& event);
    bool dragNote(const QMouseEvent& event);
    bool releaseNote();
    bool pressItemControl(const QMouseEvent& event);
    void activateItem(ItemId item, bool recursive);
    void showAsCurrent(ItemId item);
    /// Centres there; the item is the current one then.
    void goTo(ItemId item);
    void stepEdge(bool forward);
    /// To the other end of the selected edge; false when the current item is no end of one.
    bool goAlongEdge();
    void updateHover(QPointF view, bool inside);
    void updateCursor();
    bool walkKey(const QKeyEvent& event);
    bool commandKey(const QKeyEvent& event);

    ToolBox m_tools{*this};
    StrokePreview m_stroke;
    FillOverlay m_fill;
    ItemId m_fillItem; ///< that fill or wand points at
    EdgeScroll m_edgeScroll{[this](QPointF delta) { return scrollBy(delta); }};
    ToolEvent m_lastMove; ///< of the mouse, for when the picture moves under it
    double m_brushRadius = 6;
    struct HeldNote {
        NodeId node;
        QPointF pressedAt;
    };
    std::optional<HeldNote> m_pressedNote;
    bool m_controlPressed = false; ///< the last press opened or closed: the double click that may follow is spent
};

} // namespace sunder
