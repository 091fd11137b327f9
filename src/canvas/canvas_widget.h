#pragma once

#include "canvas/canvas_overlay.h"
#include "canvas/canvas_types.h"
#include "canvas/edge_arrows.h"
#include "canvas/gesture_legend.h"
#include "canvas/minimap.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/viewport.h"

#include <QBasicTimer>
#include <QWidget>

#include <array>
#include <memory>

class QHelpEvent;

namespace sunder {

/// Shows one Picture and lets the person look around, select and paint in it. The one viewport of every pane. Knows
/// nothing of documents: what it shows is set, what the person does comes out as signals, and the owner answers by
/// setting a new picture or style. Only strokes show at once, before the owner has answered.
class CanvasWidget : public QWidget, private ToolHost, private ViewportHost {
    Q_OBJECT

public:
    explicit CanvasWidget(QWidget* parent = nullptr);
    ~CanvasWidget() override;

    // What is shown ----------------------------------------------------------------------------

    /// Another picture. The camera stays such that the item that shows `anchor` (or, when invalid, the current or the
    /// middlemost item) keeps its place in the view; so opening a module does not jump. The first picture, and any
    /// after an empty one, opens at a zoom where text reads. Null shows nothing.
    void setPicture(ScenePicturePtr picture, NodeId anchor = {});
    [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return m_scene.sharedPicture()->picture; }
    [[nodiscard]] const ScenePicturePtr& scenePicture() const { return m_scene.sharedPicture(); }
    /// All of the style at once, for a new document or theme.
    void setPictureStyle(PictureStyle style);
    [[nodiscard]] const PictureStyle& pictureStyle() const { return m_scene.style(); }
    /// One part of the style each; cheap enough for every change.
    void setTheme(const Theme& theme);
    void setTags(std::vector<TagLook> tags, std::vector<std::int32_t> tagOf, TagsWithin within = {});
    void setSelectedNodes(std::span<const NodeId> nodes);
    void setFoundNodes(std::span<const NodeId> nodes);
    void setCounterparts(std::span<const NodeId> nodes);
    void setFindings(std::span<const NodeId> marked, std::vector<BackwardMark> backward);

    // Tools ------------------------------------------------------------------------------------

    void setTool(ToolKind tool);
    [[nodiscard]] ToolKind tool() const { return m_toolKind; }
    /// Index into the style's tags that strokes show at once; -1: none, strokes only report.
    void setActiveTag(int tag);
    /// Of brush and eraser, in view pixels: 1 … 200.
    void setBrushRadius(double radius);
    [[nodiscard]] double brushRadius() const override { return m_brushRadius; }
    /// The legend of gestures; its cross dismisses it (legendDismissed).
    void setLegendVisible(bool visible);
    /// Where the legend is; empty in a small view.
    [[nodiscard]] QRectF legendRect() const { return m_legend.rect(); }
    void setMinimapVisible(bool visible);

    // Camera -----------------------------------------------------------------------------------

    [[nodiscard]] const Camera& camera() const override { return m_view.camera(); }
    void setCamera(const Camera& camera);
    /// The scene rectangle that is seen.
    [[nodiscard]] Rect visibleScene() const;
    /// All of it; fitAll() is the same as a wish of the person, who chooses the zoom by it.
    void showWhole();
    void fitAll() override;
    /// 100 % or the width of the picture, whichever is smaller, but never unreadable; the upper middle is shown.
    void showReadable();
    void zoomBy(double factor);
    /// The same place in the middle, at another zoom.
    void setZoom(double zoom);
    /// Moves the view so that the items of these nodes are seen: not at all when they are, or, where they do not fit, one of
    /// them is; else centred on the first.
    void showNodes(std::span<const NodeId> nodes);
    void centerOnNodes(std::span<const NodeId> nodes);

    // Keyboard ---------------------------------------------------------------------------------

    /// The item that keys act on; it has the focus ring.
    [[nodiscard]] ItemId currentItem() const { return m_current; }
    void setCurrentItem(ItemId item);
    void setCurrentNode(NodeId node);

    /// What stands at a point of the view; for tests, drops and accessibility.
    [[nodiscard]] ItemId itemAt(QPointF view) const override;
    /// Picture, style and what is derived from them, as shown.
    [[nodiscard]] const CanvasScene& scene() const override { return m_scene; }
    /// Where an item is in the view now.
    [[nodiscard]] QRectF viewRectOf(ItemId item) const;
    /// One sentence about an item, as screen readers say it: "addmm_41, Linear, tag T2, 3 inputs, 8 MB".
    [[nodiscard]] QString describeItem(ItemId item) const;

    [[nodiscard]] QSize sizeHint() const override { return {640, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

signals:
    /// Double click or Enter on something that opens or closes; `recursive` with Alt. `key` as in PictureOptions::open.
    void itemActivated(sunder::ItemId item, const QString& key, bool recursive);
    /// Double click or Enter on an op.
    void nodeActivated(sunder::NodeId node);
    void selectionRequested(const std::vector<sunder::NodeId>& nodes, sunder::SelectionMode mode);
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
    /// Click on the card of a backward edge: index into PictureStyle::backward.
    void backwardCardClicked(int mark, const QPoint& globalPosition);
    void cameraChanged(const sunder::Camera& camera);
    /// The person has chosen another zoom: wheel, keys, pinch, fit.
    void zoomChosen(double zoom);
    void currentItemChanged(sunder::ItemId item);
    void legendDismissed();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    // ToolHost
    [[nodiscard]] QColor strokeColor(StrokeKind kind) const override;
    void panFrom(const Camera& start, QPointF viewDelta) override { setCamera(start.pannedBy(m_view.wholePixels(viewDelta))); }
    void requestSelection(const std::vector<NodeId>& nodes, SelectionMode mode) override;
    void makeCurrent(ItemId item) override { setCurrentItem(item); }
    void startStroke(StrokeKind kind) override;
    void extendStroke(const std::vector<NodeId>& nodes) override;
    void finishStroke() override;
    void cancelStroke() override;
    void requestOverlay() override { update(); }

    // ViewportHost
    void zoomAt(QPointF at, double factor) override;
    void moveTo(const Camera& camera) override { setCamera(camera); }

    [[nodiscard]] PaintContext paintContext() const;
    [[nodiscard]] ToolEvent toolEvent(const QMouseEvent& event) const;
    [[nodiscard]] CanvasTool& activeTool() const { return *m_tools[static_cast<std::size_t>(m_toolKind)]; }
    /// The tool for a press: selecting with Shift.
    [[nodiscard]] CanvasTool* toolFor(const QMouseEvent& event) const;
    /// Minimap, cards, arrows, legend, the triangle that opens: true when the press was for one of them.
    bool pressOverlay(const QMouseEvent& event);
    bool pressItemControls(const QMouseEvent& event);
    /// To the next item that is selected, found or marked from elsewhere.
    void goToRinged(bool forward);
    void styleChanged();
    void updateHover(QPointF view, bool inside);
    void updateCursor();
    void activateItem(ItemId item, bool recursive);
    void paintOverlay(QPainter& painter);
    void paintMinimap(QPainter& painter);
    bool walkKey(const QKeyEvent& event);
    bool commandKey(const QKeyEvent& event);
    void escape();
    bool showToolTip(const QHelpEvent& event);

    CanvasScene m_scene;
    Viewport m_view{*this, *this};
    Minimap m_minimap;
    std::array<std::unique_ptr<CanvasTool>, 5> m_tools;
    ToolKind m_toolKind = ToolKind::select;
    CanvasTool* m_pressed = nullptr; ///< the tool between press and release
    std::vector<BackwardCard> m_cards;
    std::vector<EdgeArrow> m_arrows;
    ItemId m_hovered;
    ItemId m_current;
    int m_activeTag = -1;
    StrokeKind m_strokeKind = StrokeKind::paint;
    double m_brushRadius = 6;
    bool m_inStroke = false;
    bool m_minimapDrag = false;
    QBasicTimer m_mapTimer; ///< runs while the map of a large picture is made
    bool m_controlPressed = false; ///< the last press opened or closed: the double click that may follow is spent
    bool m_minimapVisible = true;
    GestureLegend m_legend;
    bool m_untouched = true; ///< nobody moved the camera yet: a resize opens the picture anew
};

} // namespace sunder
