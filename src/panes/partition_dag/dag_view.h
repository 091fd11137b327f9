#pragma once

#include "canvas/canvas_types.h"
#include "canvas/viewport.h"
#include "panes/partition_dag/dag_painter.h"
#include "panes/partition_dag/dag_place.h"
#include "panes/partition_dag/hidden_selection.h"

#include <QAbstractScrollArea>
#include <QPointer>

namespace sunder {

/// Shows a DagContent: scrolls and zooms, is walked with the keys, and says what was picked, opened, dragged or dropped.
/// What is selected or hovered elsewhere, and the graphs of boxes that are unfolded, are given from outside.
///
/// Zooming in shows more of many boxes, their handles at last; before that the box in question has them.
/// Keys: arrows walk (dag_walk.h), Space picks, Enter opens, Esc folds. Wheel, hand and the other keys are those of every view (Viewport).
class DagView final : public QAbstractScrollArea, private ViewportHost {
    Q_OBJECT

public:
    explicit DagView(QWidget* parent = nullptr);

    void setContent(DagContent content);
    [[nodiscard]] const DagContent& content() const { return m_content; }
    [[nodiscard]] const DagLayout& layoutOfContent() const { return m_layout; }
    void setSelectedOps(std::vector<std::size_t> perBox);
    void setHoveredBoxes(std::vector<char> perBox);
    /// Per handle whether its op is selected.
    void setSelectedHandles(std::vector<char> perHandle);
    /// Per shared value whether it is selected with few others: then lines lead to all its readers.
    void setSelectedShared(std::vector<char> perValue);
    /// Per box the widget that shows its graph, null where it is folded; they become children of the viewport.
    void setGraphs(std::vector<QWidget*> perBox);
    void setOpenRibbon(int ribbon);
    /// The box that a move would go to, −1 none.
    void setTarget(int box, bool isLegal = true);
    [[nodiscard]] const DagMarks& marks() const { return m_marks; }

    [[nodiscard]] DagPlace current() const { return m_marks.current(); }
    void setCurrent(DagPlace place);
    [[nodiscard]] DagPlace placeAt(QPoint viewport) const;
    /// In pixels of the viewport.
    [[nodiscard]] QRectF viewRectOf(DagPlace place) const;
    [[nodiscard]] QString describe(DagPlace place) const;
    /// The box that a place belongs to, −1 for a ribbon or none.
    [[nodiscard]] int boxOf(DagPlace place) const;
    void ensureShown(DagPlace place);
    /// What is in sight, in pixels at 100 %.
    [[nodiscard]] QRectF seen() const { return {toContent({0, 0}), QSizeF(viewport()->size()) / zoom()}; }
    [[nodiscard]] double zoom() const { return m_view.camera().zoom(); }
    void setZoom(double zoom, QPointF keep);
    /// Around the middle.
    void zoomBy(double factor);
    /// All of it in the viewport as far as that can be read, now and whenever the viewport changes.
    void fit();
    void refreshTheme() { m_view.invalidate(); }

signals:
    void zoomed();
    void picked(sunder::DagPlace place, sunder::SelectionMode mode);
    void activated(sunder::DagPlace place);
    /// A click on the mark of a box, a double click on one that is unfolded, or Esc.
    void foldRequested(int box, bool unfold);
    /// A chip is pulled away.
    void dragStarted(sunder::DagPlace place);
    void hovered(sunder::DagPlace place);
    void menuRequested(sunder::DagPlace place, const QPoint& globalPosition);
    /// Nodes are being dragged over a box (−1: over none, or away).
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
    /// Looks from where the scroll bars are.
    void takeCamera(double zoom);
    [[nodiscard]] std::vector<double> graphHeights() const;
    void placeGraphs();
    [[nodiscard]] QString tipOf(QPoint viewport) const;
    void setHovered(DagPlace place);
    void updateCursor();
    [[nodiscard]] QPointF toContent(QPointF at) const { return m_view.camera().toScene(at); }
    [[nodiscard]] HiddenSelection hiddenSelection() const;

    DagContent m_content;
    DagLayout m_layout;
    DagMarks m_marks;
    Viewport m_view{*this, *viewport()};
    bool m_isFitted = true; ///< the zoom follows the height that there is, until the person zooms
    std::vector<QPointer<QWidget>> m_graphs; ///< per box
    QPoint m_pressedAt;
    DagPlace m_pressed; ///< a chip between press and release: it may be pulled away
    bool m_pickLater = false; ///< a selected chip was pressed: it is picked at release unless it was dragged
};

} // namespace sunder
