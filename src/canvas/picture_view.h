#pragma once

#include "canvas/canvas_overlay.h"
#include "canvas/canvas_sight.h"
#include "canvas/item_description.h"
#include "canvas/item_hits.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_transition.h"
#include "canvas/viewport.h"
#include "layout/picture/picture_edges.h"

#include <QBasicTimer>
#include <QVariantAnimation>
#include <QWidget>

class QHelpEvent;

namespace sunder {

/// Shows a Picture through a camera, with overlays: relations of the hovered item, cards, arrows, minimap, legend. Has one
/// current item for the keyboard. Subclasses handle the mouse and the keyboard.
class PictureView : public QWidget, private ViewportHost {
    Q_OBJECT

public:
    // Content ----------------------------------------------------------------------------------

    /// Sets another picture; null clears the view. The camera keeps the item that shows `anchor` (if invalid, the current item or
    /// the one nearest to the center) in place, so that opening a module does not jump. The first picture, and any after an empty
    /// one, opens at a readable zoom. A fitted picture, see isFitted(), stays fitted if possible. Changes are animated if Motion
    /// allows it.
    void setPicture(ScenePicturePtr picture, NodeId anchor = {});
    [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return m_scene.sharedPicture()->picture; }
    [[nodiscard]] const ScenePicturePtr& scenePicture() const { return m_scene.sharedPicture(); }
    /// Sets the whole style, for a new document or theme.
    void setPictureStyle(PictureStyle style);
    [[nodiscard]] const PictureStyle& pictureStyle() const { return m_scene.style(); }
    /// Set one part of the style each; cheap enough for every change.
    void setTheme(const Theme& theme);
    void setTags(std::vector<TagLook> tags, std::vector<std::int32_t> tagOf, TagsWithin within = {});
    /// Sets the figures that color items instead of tags; nothing: tags.
    void setCosts(std::optional<CostColors> costs);
    void setSelectedNodes(std::span<const NodeId> nodes);
    void setFoundNodes(std::span<const NodeId> nodes);
    void setCounterparts(std::span<const NodeId> nodes);
    void setFindings(std::span<const NodeId> marked, std::span<const NodeId> noted, std::vector<BackwardMark> backward);

    /// Sets the selected edge. No edge is shown if the picture has none for this value, or if both ends are in one item.
    void setSelectedEdge(const std::optional<EdgeEnds>& ends);
    /// The index of the selected edge in the picture; -1: none.
    [[nodiscard]] std::int64_t selectedEdge() const { return m_selectedEdge; }
    /// Sets the function that describes edges beyond the picture's own data.
    void setEdgeWords(EdgeWords words) { m_edgeWords = std::move(words); }
    /// Sets the function that describes the costs of an item's nodes, for tooltips and screen readers.
    void setCostWords(CostWords words) { m_costWords = std::move(words); }
    [[nodiscard]] QString describeEdge(std::uint32_t edge) const;
    /// Returns the edges at a point of the view, see sunder::edgesUnder().
    [[nodiscard]] std::vector<std::uint32_t> edgesUnder(QPointF view) const { return sunder::edgesUnder(sight(), view); }

    /// Shows or hides the legend of gestures; its cross dismisses it.
    void setLegendVisible(bool visible);
    /// Returns the rectangle of the legend; empty in a small view.
    [[nodiscard]] QRectF legendRect() const { return m_overlay.legendRect(); }
    void setMinimapVisible(bool visible);

    /// Returns whether a change is being animated, so that items are painted away from their places.
    [[nodiscard]] bool isGliding() const { return !m_transition.isEmpty(); }

    /// Returns whether the picture, or one that it replaced, was painted, so that the user may know its arrangement.
    [[nodiscard]] bool isSeen() const { return m_isSeen; }

    // Camera -----------------------------------------------------------------------------------

    [[nodiscard]] const Camera& camera() const { return m_view.camera(); }
    void setCamera(const Camera& camera);
    /// Returns the visible scene rectangle.
    [[nodiscard]] Rect visibleScene() const { return camera().toScene(QRectF(rect())); }
    /// Shows the whole picture. fitAll() does the same as a user command, which counts as choosing the zoom.
    void showWhole();
    void fitAll() override;
    /// Returns whether the camera was not moved since the picture was opened or shown whole. A resized view is fitted again;
    /// otherwise it keeps its center.
    [[nodiscard]] bool isFitted() const { return m_fitting != Fitting::none; }
    /// Returns whether it is fitted and completely visible.
    [[nodiscard]] bool isWhole() const { return isFitted() && (m_fitting == Fitting::whole || m_opensWhole); }
    /// Shows the top center at 100% or at the width of the picture, whichever is smaller, but not below a readable zoom.
    void showReadable();
    void zoomBy(double factor) { zoomAt(QRectF(rect()).center(), factor); }
    /// Sets the zoom and keeps the center.
    void setZoom(double zoom);
    /// Fits the selection into the view: nodes, or else both ends of the edge. Returns false if none of it is shown.
    bool zoomToSelection();
    void setNotes(std::vector<PictureNote> notes);
    /// Returns the note at a point of the view; nothing if there is none.
    [[nodiscard]] std::optional<PlacedNote> noteAt(QPointF view) const;
    /// Moves the view so that the items of these nodes are visible. It does not move if they are visible, or if they do not fit
    /// and one of them is; it centers on the first if they do not fit.
    void showNodes(std::span<const NodeId> nodes);
    void centerOnNodes(std::span<const NodeId> nodes);

    // Keyboard ---------------------------------------------------------------------------------

    /// The item for keyboard commands; it has the focus ring.
    [[nodiscard]] ItemId currentItem() const { return m_current; }
    void setCurrentItem(ItemId item);
    void setCurrentNode(NodeId node) { setCurrentItem(m_scene.itemOf(node)); }

    /// Returns the item at a point of the view; for tests, drops, and accessibility.
    [[nodiscard]] ItemId itemAt(QPointF view) const { return sight().itemAt(view); }
    /// The shown picture with its style and derived data.
    [[nodiscard]] const CanvasScene& scene() const { return m_scene; }
    /// Returns the current rectangle of an item in the view.
    [[nodiscard]] QRectF viewRectOf(ItemId item) const { return sight().viewRectOf(item); }
    /// Returns whether an overlay handles presses there: a card, an arrow, the minimap, the legend, or a note.
    [[nodiscard]] bool isCoveredAt(QPointF view) const { return m_overlay.isAt(view, sight()) || noteAt(view); }
    /// Describes an item in one sentence for screen readers, e.g. "addmm_41, Linear, tag T2, 3 inputs, 8 MB".
    [[nodiscard]] QString describeItem(ItemId item) const;

    [[nodiscard]] QSize sizeHint() const override { return {640, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

signals:
    void cameraChanged(const sunder::Camera& camera);
    /// Emitted when the user changed the zoom: by wheel, keys, pinch, or fit.
    void zoomChosen(double zoom);
    /// Emitted when the user requests the whole picture.
    void fitRequested();
    void currentItemChanged(sunder::ItemId item);

protected:
    explicit PictureView(QWidget* parent);

    /// Called before another picture is set.
    virtual void pictureWillChange() {}
    /// Returns whether an action must follow the mouse closely; the map may then be outdated, and relations are omitted.
    [[nodiscard]] virtual bool isHasty() const { return false; }
    /// Paints over everything else.
    virtual void paintOver(QPainter&) {}

    [[nodiscard]] CanvasSight sight() const { return {m_scene, m_view.camera(), size()}; }
    [[nodiscard]] CanvasScene& editScene() { return m_scene; }
    [[nodiscard]] Viewport& viewport() { return m_view; }
    [[nodiscard]] OverlayControls& overlay() { return m_overlay; }
    /// The hovered item, whose relations are shown.
    [[nodiscard]] ItemId pointedItem() const { return m_pointed; }
    /// Shows a note at another place while it is dragged; nothing: all notes at their places.
    void holdNote(std::optional<PictureNote> note);
    [[nodiscard]] const std::optional<PictureNote>& heldNote() const { return m_heldNote; }
    void setPointedItem(ItemId item);
    /// Sets the hovered edges, which are highlighted with both ends.
    void setPointedEdges(std::vector<std::uint32_t> edges);
    [[nodiscard]] const std::vector<std::uint32_t>& pointedEdges() const { return m_pointedEdges; }

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // ViewportHost
    void zoomAt(QPointF at, double factor) override;
    void moveTo(const Camera& camera) override { setCamera(camera); }

    [[nodiscard]] PaintContext paintContext() const;
    void paintOverlay(QPainter& painter);
    void paintNotes(QPainter& painter);
    void paintTransition(QPainter& painter);
    /// Starts the animation from this scene and camera.
    void glideFrom(const CanvasScene& before, const Camera& camera);
    void stopGliding();
    /// Fits the picture again after a resize.
    void refit();
    void showToolTip(const QHelpEvent& event);

    CanvasScene m_scene;
    Viewport m_view{*this, *this};
    PictureTransition m_transition;
    QVariantAnimation m_glide; ///< 0 … 1
    OverlayControls m_overlay;
    ItemId m_pointed;
    std::optional<PictureNote> m_heldNote;
    ItemId m_current;
    std::vector<std::uint32_t> m_pointedEdges;
    std::optional<EdgeEnds> m_edgeEnds; ///< ends of the selected edge
    std::int64_t m_selectedEdge = -1;
    EdgeWords m_edgeWords;
    CostWords m_costWords;
    QBasicTimer m_mapTimer; ///< runs while the map of a large picture is rendered
    enum class Fitting : std::uint8_t { none, opening, whole };
    Fitting m_fitting = Fitting::opening; ///< until the camera is moved: a resize fits the picture again
    bool m_isSeen = false; ///< see isSeen()
    bool m_opensWhole = false; ///< the picture was whole when it opened, and stays whole in a smaller view
    QSize m_cameraFor; ///< view size that the camera was chosen for
};

} // namespace sunder
