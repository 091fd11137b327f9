#pragma once

#include "canvas/timeline_painter.h"
#include "canvas/viewport.h"

#include <QAbstractScrollArea>

namespace sunder {

/// Shows a schedule in time. The zoom stretches time only: 1 is the whole step in the width of the view. Keys: left and right go to the
/// previous and the next action of a row, up and down to the row above and below, Home shows the whole step, Space and Enter pick
/// the stage. The wheel, the hand tool, and other keys work as in every view (Viewport).
class TimelineView final : public QAbstractScrollArea, private ViewportHost {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Keeps the zoom, and the current action if it still exists.
    void setContent(TimelineContent content);
    [[nodiscard]] const TimelineContent& content() const { return m_content; }
    /// Sets the colors of the stages.
    void setStages(std::vector<TagLook> looks);
    /// Sets for each stage whether some of its ops are selected.
    void setSelectedStages(std::vector<char> perStage);
    [[nodiscard]] const TimelineMarks& marks() const { return m_marks; }

    [[nodiscard]] TimelinePlace current() const { return m_marks.current; }
    void setCurrent(TimelinePlace place);
    [[nodiscard]] TimelinePlace placeAt(QPointF viewport) const { return m_scale.placeAt(m_content, viewport); }
    /// In viewport pixels.
    [[nodiscard]] QRectF viewRectOf(TimelinePlace place) const { return m_scale.rectOf(m_content, place); }
    [[nodiscard]] QString describe(TimelinePlace place) const;
    /// Returns the visible part of the step.
    [[nodiscard]] TimeSpan seen() const;
    [[nodiscard]] double zoom() const;
    void setZoom(double zoom);
    void zoomBy(double factor) { zoomAt(QRectF(viewport()->rect()).center(), factor); }
    void fit() { fitAll(); }
    void refreshTheme() { m_view.invalidate(); }

signals:
    void zoomed();
    /// Emitted when the user picks an action or transfer of a stage.
    void picked(int stage);
    /// Emitted with the stage under the pointer; −1: none.
    void hovered(int stage);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // ViewportHost
    void zoomAt(QPointF at, double factor) override;
    void moveTo(const Camera& camera) override;
    void fitAll() override;

    /// Looks at the step with this zoom of the camera, with a time at a place in the view.
    void look(double cameraZoom, double time, double x);
    void arrange();
    void takeCamera(double cameraZoom);
    [[nodiscard]] TimelineScale scaleOf(const Camera& camera) const;
    [[nodiscard]] double laneWidth() const;
    [[nodiscard]] double sceneSeconds() const;
    [[nodiscard]] TimelinePlace step(int key) const;
    [[nodiscard]] TimelinePlace stepRow(int by) const;
    void ensureShown(TimelinePlace place);
    void setHovered(TimelinePlace place);
    void pick(TimelinePlace place);
    void updateCursor();
    [[nodiscard]] QString tipOf(QPointF at) const;

    TimelineContent m_content;
    TimelineScale m_scale;
    TimelineMarks m_marks;
    Viewport m_view{*this, *viewport()};
    bool m_isArranging = false;
    int m_hoveredStage = -1;
};

} // namespace sunder
