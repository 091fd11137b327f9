#include "panes/timeline/timeline_view.h"

#include "canvas/painted_children.h"
#include "models/tag_style_of.h"
#include "text/shown_text.h"

#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sunder {
namespace {

/// Zoom of the camera that shows the whole step. Its limits allow 1,450 times as much.
constexpr double kWholeZoom = 0.0055;
constexpr double kRightMargin = 12; ///< pixels behind the step

/// The actions and transfers of a timeline as children, row by row.
class TimelineAccessible final : public PaintedChildren {
public:
    explicit TimelineAccessible(TimelineView* view) : PaintedChildren(view) {}

    [[nodiscard]] QString nameOf(int index) const override { return view().describe(placeOfChild(index)); }
    [[nodiscard]] QAccessible::Role roleOf(int) const override { return QAccessible::ListItem; }
    void addState(int index, QAccessible::State& state) const override
    {
        const std::uint32_t stage = stageOf(view().content(), placeOfChild(index));
        const std::vector<char>& selected = view().marks().selectedStages;
        state.selectable = true;
        state.selected = stage < selected.size() && selected[stage] != 0;
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = view().viewRectOf(placeOfChild(index)).toAlignedRect();
        return {view().viewport()->mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] QString pressNameOf(int) const override { return QObject::tr("Select the stage"); }
    void press(int index) override
    {
        view().setCurrent(placeOfChild(index));
        emit view().picked(static_cast<int>(stageOf(view().content(), placeOfChild(index))));
    }
    [[nodiscard]] int current() const override { return childOf(view().current()); }

protected:
    [[nodiscard]] int countOfChildren() const override { return firstOf(view().content().rankCount(), TimelineRow::compute); }
    [[nodiscard]] int childIndexAt(QPoint global) const override
    {
        return childOf(view().placeAt(view().viewport()->mapFromGlobal(global)));
    }

private:
    static constexpr std::array kRows = {TimelineRow::compute, TimelineRow::send, TimelineRow::receive};

    [[nodiscard]] TimelineView& view() const { return *static_cast<TimelineView*>(object()); }
    /// Returns the number of children before a row.
    [[nodiscard]] int firstOf(std::uint32_t rank, TimelineRow row) const
    {
        std::size_t before = 0;
        for (std::uint32_t other = 0; other <= rank && other < view().content().rankCount(); ++other)
            for (const TimelineRow of : kRows)
                if (other < rank || of < row)
                    before += countIn(view().content(), other, of);
        return static_cast<int>(before);
    }
    [[nodiscard]] int childOf(TimelinePlace place) const
    {
        return place.isValid() ? firstOf(place.rank, place.row) + static_cast<int>(place.index) : -1;
    }
    [[nodiscard]] TimelinePlace placeOfChild(int index) const
    {
        std::int64_t rest = index;
        for (std::uint32_t rank = 0; rank < view().content().rankCount(); ++rank)
            for (const TimelineRow row : kRows) {
                const auto count = static_cast<std::int64_t>(countIn(view().content(), rank, row));
                if (rest < count)
                    return {rank, row, rest};
                rest -= count;
            }
        return {};
    }
};

} // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent)
{
    installPaintedChildren<TimelineAccessible, TimelineView>();
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_view.setCamera(Camera({}, kWholeZoom));
}

void TimelineView::setContent(TimelineContent content)
{
    const bool isFirst = m_content.plan == nullptr;
    m_content = std::move(content);
    const TimelinePlace now = m_marks.current;
    const bool isThere = now.isValid() && now.rank < m_content.rankCount()
        && static_cast<std::size_t>(now.index) < countIn(m_content, now.rank, now.row);
    if (!isThere)
        m_marks.current = {};
    m_marks.hovered = {};
    m_marks.selectedStages.clear();
    if (isFirst)
        fitAll();
    else
        arrange();
    m_view.invalidate();
    PaintedChildren::childrenChanged(this);
}

void TimelineView::setStages(std::vector<TagLook> looks)
{
    m_content.stages = std::move(looks);
    m_view.invalidate();
}

void TimelineView::setSelectedStages(std::vector<char> perStage)
{
    if (m_marks.selectedStages == perStage)
        return;
    m_marks.selectedStages = std::move(perStage);
    m_view.invalidate();
}

void TimelineView::setCurrent(TimelinePlace place)
{
    m_marks.current = place;
    m_view.invalidate();
    if (hasFocus())
        PaintedChildren::currentChanged(this);
}

QString TimelineView::describe(TimelinePlace place) const
{
    return place.isValid() ? sunder::describe(m_content, place) : QString();
}

// Camera: its x is the time, in units of which the step has a fixed number per width of the view; its y are pixels. ------------

double TimelineView::laneWidth() const
{
    return std::max(1.0, viewport()->width() - TimelineScale::kNames - kRightMargin);
}

/// Returns the seconds of a scene unit.
double TimelineView::sceneSeconds() const
{
    return m_content.step() > 0 ? m_content.step() * kWholeZoom / laneWidth() : 1;
}

TimelineScale TimelineView::scaleOf(const Camera& camera) const
{
    TimelineScale scale = TimelineScale::fitting(m_content, viewport()->height());
    scale.perSecond = camera.zoom() / sceneSeconds();
    scale.origin = camera.origin().x() * sceneSeconds();
    scale.scrolled = camera.origin().y() * camera.zoom();
    return scale;
}

double TimelineView::zoom() const
{
    return m_view.camera().zoom() / kWholeZoom;
}

void TimelineView::setZoom(double zoom)
{
    zoomBy(zoom / this->zoom());
}

TimeSpan TimelineView::seen() const
{
    return {std::max(0.0, m_scale.timeAt(TimelineScale::kNames)),
            std::min(m_content.step(), m_scale.timeAt(viewport()->width()))};
}

void TimelineView::zoomAt(QPointF at, double factor)
{
    const double x = std::max(at.x(), TimelineScale::kNames);
    look(m_view.camera().zoom() * factor, m_scale.timeAt(x), x);
}

void TimelineView::look(double cameraZoom, double time, double x)
{
    const double scrolled = m_scale.scrolled;
    const double zoom = std::clamp(cameraZoom, kWholeZoom, Camera::kMaxZoom);
    m_view.setCamera(Camera({time / sceneSeconds() - (x - TimelineScale::kNames) / zoom, scrolled / zoom}, zoom));
    arrange();
    emit zoomed();
}

void TimelineView::moveTo(const Camera& camera)
{
    const QPointF corner = camera.origin() * camera.zoom();
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(corner.x())));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(corner.y())));
}

void TimelineView::fitAll()
{
    look(kWholeZoom, 0, TimelineScale::kNames);
}

/// Sets the ranges of the scroll bars for the camera's zoom, and its corner within them.
void TimelineView::arrange()
{
    const Camera camera = m_view.camera();
    const QPointF corner = camera.origin() * camera.zoom();
    m_scale = scaleOf(camera);
    {
        const QScopedValueRollback arranging(m_isArranging, true);
        const auto setRange = [](QScrollBar& bar, double content, double page, double value) {
            bar.setRange(0, std::max(0, static_cast<int>(std::ceil(content - page))));
            bar.setPageStep(static_cast<int>(page));
            bar.setSingleStep(40);
            bar.setValue(static_cast<int>(std::lround(value)));
        };
        setRange(*horizontalScrollBar(), m_content.step() * m_scale.perSecond, laneWidth(), corner.x());
        setRange(*verticalScrollBar(), m_scale.contentHeight(m_content), viewport()->height(), corner.y());
    }
    takeCamera(camera.zoom());
}

void TimelineView::takeCamera(double cameraZoom)
{
    m_view.setCamera(Camera(QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()) / cameraZoom, cameraZoom));
    m_scale = scaleOf(m_view.camera());
}

void TimelineView::scrollContentsBy(int, int)
{
    if (!m_isArranging)
        takeCamera(m_view.camera().zoom());
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_view.invalidate();
    arrange();
}

void TimelineView::ensureShown(TimelinePlace place)
{
    if (!place.isValid())
        return;
    constexpr double kRoom = 24;
    const QRectF rect = m_scale.rectOf(m_content, place);
    const double right = viewport()->width() - kRoom;
    const double left = TimelineScale::kNames + kRoom;
    const double dx = rect.left() < left ? rect.left() - left
        : rect.right() > right           ? std::min(rect.left() - left, rect.right() - right)
                                         : 0;
    const double laneTop = m_scale.laneTop(place.rank);
    const double laneBottom = laneTop + m_scale.laneHeight();
    const double dy = laneTop < m_scale.lanesTop() ? laneTop - m_scale.lanesTop()
        : laneBottom > viewport()->height()        ? std::min(laneTop - m_scale.lanesTop(), laneBottom - viewport()->height())
                                                   : 0;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + static_cast<int>(std::lround(dx)));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(std::lround(dy)));
}

// Painting ----------------------------------------------------------------------------------------

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    m_marks.hasFocus = hasFocus();
    m_view.paint(painter,
                 {.background = currentTheme().canvas, .paint = [this](QPainter& into, const Camera& camera, const QRectF& part) {
                      const TimelineScale scale = scaleOf(camera);
                      TimelinePainter timeline(into, currentTheme(), m_content, scale, m_marks);
                      timeline.paintLanes(part.intersected(QRectF(TimelineScale::kNames, scale.lanesTop(), viewport()->width(),
                                                                  viewport()->height() - scale.lanesTop())));
                  }});
    TimelinePainter fixed(painter, currentTheme(), m_content, m_scale, m_marks);
    fixed.paintAxis(0, viewport()->width());
    fixed.paintNames(0, viewport()->height());
}

// Mouse -------------------------------------------------------------------------------------------

QString TimelineView::tipOf(QPointF at) const
{
    if (const TimelinePlace place = placeAt(at); place.isValid())
        return tr("%1\nClick to select the stage. The outlined actions belong to the same micro-batch.").arg(describe(place));
    const std::optional<std::uint32_t> rank = m_scale.rankAt(m_content, at.y());
    if (!rank)
        return {};
    const double time = m_scale.timeAt(at.x());
    const TimelineScale::Band compute = m_scale.band(*rank, TimelineRow::compute);
    if (at.x() < TimelineScale::kNames) {
        const TimelineLane& lane = (*m_content.lanes)[*rank];
        const QString memory = lane.peak.isEmpty() ? QString() : tr("\nPeak memory %1 %2").arg(lane.peak, lane.limit);
        return tr("%1, %2%3").arg(lane.device, lane.use, memory);
    }
    if (time < 0 || time > m_content.step())
        return {};
    if (at.y() >= compute.top && at.y() < compute.bottom())
        return tr("%1 is idle").arg(deviceName(*m_content.plan, *rank));
    if (m_scale.memory > 0 && at.y() >= m_scale.memoryBand(*rank).top)
        return describeMemory(m_content, *rank, time);
    return {};
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (m_view.viewportEvent(*event, [this](QPoint at) { return tipOf(at); }))
        return true;
    if (event->type() == QEvent::Leave)
        setHovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::setHovered(TimelinePlace place)
{
    if (place == m_marks.hovered)
        return;
    m_marks.hovered = place;
    updateCursor();
    m_view.invalidate();
    const int stage = place.isValid() ? static_cast<int>(stageOf(m_content, place)) : -1;
    if (std::exchange(m_hoveredStage, stage) != stage)
        emit hovered(stage);
}

void TimelineView::updateCursor()
{
    viewport()->setCursor(m_view.cursor().value_or(m_marks.hovered.isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor));
}

void TimelineView::pick(TimelinePlace place)
{
    if (place.isValid())
        emit picked(static_cast<int>(stageOf(m_content, place)));
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    const TimelinePlace place = placeAt(event->position());
    if (m_view.pressed(*event, !place.isValid())) {
        updateCursor();
        return;
    }
    if (!place.isValid() || event->button() != Qt::LeftButton)
        return;
    setCurrent(place);
    pick(place);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_view.moved(*event))
        setHovered(placeAt(event->position()));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_view.released(*event))
        updateCursor();
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    m_view.wheel(*event);
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_view.invalidate();
    PaintedChildren::currentChanged(this);
}

void TimelineView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_view.releaseSpace();
    updateCursor();
    m_view.invalidate();
}

// Keyboard ----------------------------------------------------------------------------------------

/// Returns the place in the next row above (−1) or below (1) that has any, at the time of the current place.
TimelinePlace TimelineView::stepRow(int by) const
{
    constexpr int kRowsOfLane = 3;
    const TimelinePlace now = m_marks.current;
    const TimeSpan span = spanOf(m_content, now);
    const int rows = static_cast<int>(m_content.rankCount()) * kRowsOfLane;
    for (int row = static_cast<int>(now.rank) * kRowsOfLane + static_cast<int>(now.row) + by; row >= 0 && row < rows; row += by) {
        const TimelinePlace place = sunder::placeAt(m_content, static_cast<std::uint32_t>(row / kRowsOfLane),
                                                    static_cast<TimelineRow>(row % kRowsOfLane), (span.start + span.end) / 2,
                                                    m_content.step() + 1);
        if (place.isValid())
            return place;
    }
    return now;
}

TimelinePlace TimelineView::step(int key) const
{
    TimelinePlace place = m_marks.current;
    if (!place.isValid())
        return m_content.rankCount() > 0 && countIn(m_content, 0, TimelineRow::compute) > 0
            ? TimelinePlace{0, TimelineRow::compute, 0}
            : TimelinePlace();
    const auto last = static_cast<std::int64_t>(countIn(m_content, place.rank, place.row)) - 1;
    switch (key) {
    case Qt::Key_Left: place.index = std::max<std::int64_t>(0, place.index - 1); break;
    case Qt::Key_Right: place.index = std::min(last, place.index + 1); break;
    case Qt::Key_End: place.index = last; break;
    default: return stepRow(key == Qt::Key_Up ? -1 : 1);
    }
    return place;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_End:
        if (plain) {
            setCurrent(step(event->key()));
            ensureShown(current());
            return;
        }
        break;
    case Qt::Key_Home:
        if (plain) {
            fitAll();
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (plain && current().isValid()) {
            pick(current());
            return;
        }
        break;
    case Qt::Key_Escape:
        if (current().isValid()) {
            setCurrent({});
            return;
        }
        break;
    default: break;
    }
    if (m_view.keyPressed(*event))
        updateCursor();
    else
        event->ignore(); // QAbstractScrollArea would scroll
}

/// Holding Space activates the hand tool; a short press picks.
void TimelineView::keyReleaseEvent(QKeyEvent* event)
{
    const bool picks = m_view.keyReleased(*event);
    updateCursor();
    if (picks)
        pick(current());
}

} // namespace sunder

#include "moc_timeline_view.cpp"
