#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/canvas_tooltip.h"
#include "canvas/edge_hits.h"
#include "canvas/overlay_controls.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_transition.h"
#include "canvas/viewport.h"
#include "layout/picture/picture_edges.h"

#include <QBasicTimer>
#include <QVariantAnimation>
#include <QWidget>

class QHelpEvent;

namespace sunder {

/// Shows one Picture by a camera, with what lies over it: relations of the item in question, cards, arrows, minimap, legend. Knows
/// one current item, which keys act on. What the mouse and the keys do is told by who derives from it.
class PictureView : public QWidget, private ViewportHost {
    Q_OBJECT

public:
    // What is shown ----------------------------------------------------------------------------

    /// Another picture. The camera stays such that the item that shows `anchor` (or, when invalid, the current or the
    /// middlemost item) keeps its place in the view; so opening a module does not jump. The first picture, and any
    /// after an empty one, opens at a zoom where text reads. One that is fitted, see isFitted(), stays so where it can.
    /// Null shows nothing. What moved is seen to move, for a moment, where Motion allows it.
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
    void setFindings(std::span<const NodeId> marked, std::span<const NodeId> noted, std::vector<BackwardMark> backward);

    /// The edge that is selected; one that carries no such value now, or ends inside an item, is shown by no edge.
    void setSelectedEdge(const std::optional<EdgeEnds>& ends);
    /// The same as the picture has it; -1: none.
    [[nodiscard]] std::int64_t selectedEdge() const { return m_selectedEdge; }
    /// Who says of an edge what the picture does not know.
    void setEdgeWords(EdgeWords words) { m_edgeWords = std::move(words); }
    [[nodiscard]] QString describeEdge(std::uint32_t edge) const;
    /// Edges that a point of the view means, see sunder::edgesUnder().
    [[nodiscard]] std::vector<std::uint32_t> edgesUnder(QPointF view) const { return sunder::edgesUnder(sight(), view); }

    /// The legend of gestures; its cross dismisses it.
    void setLegendVisible(bool visible);
    /// Where the legend is; empty in a small view.
    [[nodiscard]] QRectF legendRect() const { return m_overlay.legendRect(); }
    void setMinimapVisible(bool visible);

    /// What moved is on its way still: painted elsewhere than it is.
    [[nodiscard]] bool isGliding() const { return !m_transition.isEmpty(); }

    /// The picture, or one that it came from, was painted in the view: a person may know what is where in it.
    [[nodiscard]] bool isSeen() const { return m_isSeen; }

    // Camera -----------------------------------------------------------------------------------

    [[nodiscard]] const Camera& camera() const { return m_view.camera(); }
    void setCamera(const Camera& camera);
    /// The scene rectangle that is seen.
    [[nodiscard]] Rect visibleScene() const { return camera().toScene(QRectF(rect())); }
    /// All of it; fitAll() is the same as a wish of the person, who chooses the zoom by it.
    void showWhole();
    void fitAll() override;
    /// Nobody has moved the camera since the picture was opened or shown whole. A view of another size fits it again; where
    /// somebody has, the same place stays in the middle.
    [[nodiscard]] bool isFitted() const { return m_fitting != Fitting::none; }
    /// Fitted, and all of it is in sight.
    [[nodiscard]] bool isWhole() const { return isFitted() && (m_fitting == Fitting::whole || m_opensWhole); }
    /// 100 % or the width of the picture, whichever is smaller, but never unreadable; the upper middle is shown.
    void showReadable();
    void zoomBy(double factor) { zoomAt(QRectF(rect()).center(), factor); }
    /// The same place in the middle, at another zoom.
    void setZoom(double zoom);
    /// As much of the view as there is for what is selected: nodes, or else both ends of the edge. False where nothing of it is shown.
    bool zoomToSelection();
    void setNotes(std::vector<PictureNote> notes);
    /// The note at a point of the view; nothing where there is none.
    [[nodiscard]] std::optional<PlacedNote> noteAt(QPointF view) const;
    /// Moves the view so that the items of these nodes are seen: not at all when they are, or, where they do not fit, one of
    /// them is; else centred on the first.
    void showNodes(std::span<const NodeId> nodes);
    void centerOnNodes(std::span<const NodeId> nodes);

    // Keyboard ---------------------------------------------------------------------------------

    /// The item that keys act on; it has the focus ring.
    [[nodiscard]] ItemId currentItem() const { return m_current; }
    void setCurrentItem(ItemId item);
    void setCurrentNode(NodeId node) { setCurrentItem(m_scene.itemOf(node)); }

    /// What stands at a point of the view; for tests, drops and accessibility.
    [[nodiscard]] ItemId itemAt(QPointF view) const { return sight().itemAt(view); }
    /// Picture, style and what is derived from them, as shown.
    [[nodiscard]] const CanvasScene& scene() const { return m_scene; }
    /// Where an item is in the view now.
    [[nodiscard]] QRectF viewRectOf(ItemId item) const { return sight().viewRectOf(item); }
    /// Something lies over the picture there that takes presses: a card, an arrow, the minimap, the legend, a note.
    [[nodiscard]] bool isCoveredAt(QPointF view) const { return m_overlay.isAt(view, sight()) || noteAt(view); }
    /// One sentence about an item, as screen readers say it: "addmm_41, Linear, tag T2, 3 inputs, 8 MB".
    [[nodiscard]] QString describeItem(ItemId item) const;

    [[nodiscard]] QSize sizeHint() const override { return {640, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

signals:
    void cameraChanged(const sunder::Camera& camera);
    /// The person has chosen another zoom: wheel, keys, pinch, fit.
    void zoomChosen(double zoom);
    /// The person wants to see all of it.
    void fitRequested();
    void currentItemChanged(sunder::ItemId item);

protected:
    explicit PictureView(QWidget* parent);

    /// Another picture is about to be set.
    virtual void pictureWillChange() {}
    /// What is under way must follow the mouse: the map may be that of a moment ago, and relations are left out.
    [[nodiscard]] virtual bool isHasty() const { return false; }
    /// Paints over all of it.
    virtual void paintOver(QPainter&) {}

    [[nodiscard]] CanvasSight sight() const { return {m_scene, m_view.camera(), size()}; }
    [[nodiscard]] CanvasScene& editScene() { return m_scene; }
    [[nodiscard]] Viewport& viewport() { return m_view; }
    [[nodiscard]] OverlayControls& overlay() { return m_overlay; }
    /// The item that the mouse points to: its relations are shown.
    [[nodiscard]] ItemId pointedItem() const { return m_pointed; }
    /// Shows a note elsewhere while it is moved; nothing: all where they are.
    void holdNote(std::optional<PictureNote> note);
    [[nodiscard]] const std::optional<PictureNote>& heldNote() const { return m_heldNote; }
    void setPointedItem(ItemId item);
    /// Edges that the mouse points to: they stand out, with both ends.
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
    /// From what was shown by this camera.
    void glideFrom(const CanvasScene& before, const Camera& camera);
    void stopGliding();
    /// In a view of another size.
    void fitAgain();
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
    std::optional<EdgeEnds> m_edgeEnds; ///< of the selected edge
    std::int64_t m_selectedEdge = -1;
    EdgeWords m_edgeWords;
    QBasicTimer m_mapTimer; ///< runs while the map of a large picture is made
    enum class Fitting : std::uint8_t { none, opening, whole };
    Fitting m_fitting = Fitting::opening; ///< until somebody moves the camera: a resize fits the picture again
    bool m_isSeen = false; ///< see isSeen()
    bool m_opensWhole = false; ///< the picture was whole when it opened, and stays so in a smaller view
    QSize m_cameraFor; ///< size of the view that the camera was chosen for
};

} // namespace sunder
