#pragma once

#include "canvas/canvas_types.h"
#include "canvas/viewport.h"
#include "panes/partition_dag/dag_hit.h"
#include "panes/partition_dag/dag_painter.h"
#include "panes/partition_dag/hidden_selection.h"

#include <QAbstractScrollArea>
#include <QPointer>

namespace sunder {

/// Shows a DagContent: scrolls and zooms, handles the keyboard, and emits signals for picks, opened places, drags, and drops. The
/// owner supplies the selection, the hovered nodes, and the graphs of unfolded boxes.
///
/// Zooming in shows more lines of compact boxes and finally their handles; before that, only the current or hovered box shows
/// them. Keys: arrows navigate (dag_walk.h), Space picks, Enter opens, Esc folds. The wheel, the hand tool, and other keys work
/// as in every view (Viewport).
class DagView final : public QAbstractScrollArea, private ViewportHost {
    Q_OBJECT

public:
    explicit DagView(QWidget* parent = nullptr);

    void setContent(DagContent content);
    [[nodiscard]] const DagContent& content() const { return m_content; }
    [[nodiscard]] const DagLayout& layoutOfContent() const { return m_layout; }
    void setSelectedOps(std::vector<std::size_t> perBox);
    void setHoveredBoxes(std::vector<char> perBox);
    /// Sets for each handle whether its op is selected.
    void setSelectedHandles(std::vector<char> perHandle);
    /// Sets for each shared value whether it is selected in a small selection; if so, lines lead to all its consumers.
    void setSelectedShared(std::vector<char> perValue);
    /// Sets for each box the widget with its graph, null if folded. The widgets become children of the viewport.
    void setGraphs(std::vector<QWidget*> perBox);
    void setOpenCutEdge(int cutEdge);
    /// Sets the target box of a move; −1: none.
    void setTarget(int box, bool isLegal = true);
    [[nodiscard]] const DagDecorations& marks() const { return m_marks; }

    [[nodiscard]] DagHit current() const { return m_marks.current(); }
    void setCurrent(DagHit place);
    [[nodiscard]] DagHit placeAt(QPoint viewport) const;
    /// Returns the lane at a point; −1: none.
    [[nodiscard]] int laneAt(QPoint viewport) const;
    /// In viewport pixels.
    [[nodiscard]] QRectF viewRectOf(DagHit place) const;
    [[nodiscard]] QString describe(DagHit place) const;
    /// Returns the box of a place; −1 for an edge or none.
    [[nodiscard]] int boxOf(DagHit place) const;
    void ensureShown(DagHit place);
    /// Returns the visible rectangle, in pixels at 100%.
    [[nodiscard]] QRectF seen() const { return {toContent({0, 0}), QSizeF(viewport()->size()) / zoom()}; }
    [[nodiscard]] double zoom() const { return m_view.camera().zoom(); }
    void setZoom(double zoom, QPointF keep);
    /// Zooms around the center.
    void zoomBy(double factor);
    /// Fits all of the content into the viewport, as far as it stays readable, now and after each resize.
    void fit();
    [[nodiscard]] bool isFitted() const { return m_isFitted; }
    /// Returns the point of the content in the upper left corner, in pixels at 100%.
    [[nodiscard]] QPointF corner() const { return m_view.camera().origin(); }
    /// Shows this point in the upper left corner, at this zoom.
    void look(double zoom, QPointF corner);
    void refreshTheme() { m_view.invalidate(); }

signals:
    void zoomed();
    void picked(sunder::DagHit place, sunder::SelectionMode mode);
    void activated(sunder::DagHit place);
    /// Emitted for a click on the fold mark of a box, a double click on an unfolded box, or Esc.
    void foldRequested(int box, bool unfold);
    /// Emitted when a chip is dragged out of its place.
    void dragStarted(sunder::DagHit place);
    void hovered(sunder::DagHit place);
    /// `lane`: −1: none.
    void menuRequested(sunder::DagHit place, int lane, const QPoint& globalPosition);
    /// Emitted while nodes are dragged over a box (−1: over none, or out of the view).
    void dragged(const std::vector<sunder::NodeId>& nodes, int box);
    void dropped(const std::vector<sunder::NodeId>& nodes, int box);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // ViewportHost
    void zoomAt(QPointF at, double factor) override { setZoom(zoom() * factor, at); }
    void moveTo(const Camera& camera) override;
    void fitAll() override { fit(); }

    void arrange();
    /// Takes the camera position from the scroll bars.
    void takeCamera(double zoom);
    [[nodiscard]] std::vector<double> graphHeights() const;
    void placeGraphs();
    [[nodiscard]] QString tipOf(QPoint viewport) const;
    void setHovered(DagHit place);
    void updateCursor();
    [[nodiscard]] QPointF toContent(QPointF at) const { return m_view.camera().toScene(at); }
    [[nodiscard]] HiddenSelection hiddenSelection() const;

    DagContent m_content;
    DagLayout m_layout;
    DagDecorations m_marks;
    Viewport m_view{*this, *viewport()};
    bool m_isFitted = true; ///< the zoom follows the viewport height until the user zooms
    std::vector<QPointer<QWidget>> m_graphs; ///< per box
    QPoint m_pressedAt;
    DagHit m_pressed; ///< chip between press and release; it may be dragged
    bool m_pickLater = false; ///< a selected chip was pressed: pick it on release unless it was dragged
};

} // namespace sunder
