// Mouse and drags of a DagView.
#include "panes/partition_dag/dag_view.h"

#include "canvas/painted_children.h"
#include "text/shown_text.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QToolTip>

#include <utility>

namespace sunder {

SelectionMode modeOf(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ControlModifier) ? SelectionMode::toggle
        : modifiers.testFlag(Qt::ShiftModifier)    ? SelectionMode::add
                                                   : SelectionMode::replace;
}

std::vector<NodeId> nodesIn(const QMimeData* data)
{
    std::vector<NodeId> nodes;
    for (const QByteArray& id : data->data(QLatin1String(DagView::kNodesMime)).split(',')) {
        bool ok = false;
        const std::uint32_t index = id.toUInt(&ok);
        if (ok)
            nodes.push_back(NodeId(index));
    }
    return nodes;
}

QMimeData* mimeOf(const std::vector<NodeId>& nodes)
{
    QByteArray ids;
    for (const NodeId id : nodes)
        ids += QByteArray::number(id.index()) + ',';
    ids.chop(1);
    auto* data = new QMimeData;
    data->setData(QLatin1String(DagView::kNodesMime), ids);
    return data;
}

void DagView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

QString DagView::tipOf(QPoint at) const
{
    const DagPlace place = placeAt(at);
    switch (place.kind) {
    case DagPlace::Kind::ribbon: return tr("%1\nClick or Enter lists its tensors.").arg(describe(place));
    case DagPlace::Kind::chip:
        return m_layout.chips[static_cast<std::size_t>(place.index)].handle < 0
            ? tr("%1\nClick or Enter lists them.").arg(describe(place))
            : tr("%1\nDrag it onto another part to move it there, or press M.").arg(describe(place));
    case DagPlace::Kind::box:
        return tr("%1\nClick selects its ops, double-click or Enter unfolds its graph.").arg(describe(place));
    case DagPlace::Kind::none: break;
    }
    for (std::size_t i = 0; i < m_layout.lanes.size(); ++i)
        if (m_layout.lanes[i].contains(toContent(at)))
            return m_content.lanes[i].tip;
    return {};
}

bool DagView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipOf(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), folded(tip), viewport());
        return true;
    }
    if (event->type() == QEvent::NativeGesture && m_view.gesture(*static_cast<QNativeGestureEvent*>(event)))
        return true;
    if (event->type() == QEvent::Leave)
        setHovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

void DagView::setHovered(DagPlace place)
{
    const int box = place.kind == DagPlace::Kind::box ? place.index : -1;
    const int ribbon = place.kind == DagPlace::Kind::ribbon ? place.index : -1;
    const int chip = place.kind == DagPlace::Kind::chip ? place.index : -1;
    if (box == m_marks.box && ribbon == m_marks.ribbon && chip == m_marks.chip)
        return;
    m_marks.box = box;
    m_marks.ribbon = ribbon;
    m_marks.chip = chip;
    updateCursor();
    m_view.invalidate();
    emit hovered(place);
}

void DagView::updateCursor()
{
    const bool canBePulled = m_marks.chip >= 0 && m_layout.chips[static_cast<std::size_t>(m_marks.chip)].handle >= 0;
    const bool isNothing = m_marks.box < 0 && m_marks.ribbon < 0 && m_marks.chip < 0;
    const Qt::CursorShape own = isNothing ? Qt::ArrowCursor : canBePulled ? Qt::OpenHandCursor : Qt::PointingHandCursor;
    viewport()->setCursor(m_view.cursor().value_or(own));
}

void DagView::mousePressEvent(QMouseEvent* event)
{
    if (const int hidden = event->button() == Qt::LeftButton ? hiddenSelection().boxAt(event->position()) : -1; hidden >= 0) {
        ensureShown({DagPlace::Kind::box, hidden});
        return;
    }
    const DagPlace place = placeAt(event->position().toPoint());
    if (m_view.pressed(*event, place.kind == DagPlace::Kind::none)) {
        updateCursor();
        return;
    }
    if (place.kind == DagPlace::Kind::none)
        return;
    setCurrent(place);
    if (event->button() != Qt::LeftButton)
        return;
    if (place.kind == DagPlace::Kind::box
        && m_layout.foldMarkOf(static_cast<std::size_t>(place.index)).contains(toContent(event->position()))) {
        emit foldRequested(place.index, !m_layout.isUnfolded(static_cast<std::size_t>(place.index)));
        return;
    }
    const SelectionMode mode = modeOf(event->modifiers());
    const int handle = place.kind == DagPlace::Kind::chip ? m_layout.chips[static_cast<std::size_t>(place.index)].handle : -1;
    m_pressed = handle >= 0 ? place : DagPlace();
    m_pressedAt = event->position().toPoint();
    m_pickLater = handle >= 0 && mode == SelectionMode::replace && m_marks.selectedHandles[static_cast<std::size_t>(handle)] != 0;
    if (!m_pickLater)
        emit picked(place, mode);
}

void DagView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_view.moved(*event))
        return;
    if (m_pressed.kind == DagPlace::Kind::chip && event->buttons().testFlag(Qt::LeftButton)) {
        if ((event->position().toPoint() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            m_pickLater = false;
            emit dragStarted(std::exchange(m_pressed, DagPlace()));
        }
        return;
    }
    setHovered(placeAt(event->position().toPoint()));
}

void DagView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_view.released(*event)) {
        updateCursor();
        return;
    }
    const DagPlace pressed = std::exchange(m_pressed, DagPlace());
    if (std::exchange(m_pickLater, false))
        emit picked(pressed, SelectionMode::replace);
}

void DagView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const DagPlace place = placeAt(event->position().toPoint());
    const int box = place.kind == DagPlace::Kind::box ? place.index : -1;
    if (box >= 0 && m_layout.foldMarkOf(static_cast<std::size_t>(box)).contains(toContent(event->position())))
        return; // the first click did its work
    if (box >= 0 && m_layout.isUnfolded(static_cast<std::size_t>(box)))
        emit foldRequested(box, false);
    else if (place.kind != DagPlace::Kind::none)
        emit activated(place);
}

void DagView::wheelEvent(QWheelEvent* event)
{
    m_view.wheel(*event);
}

void DagView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const DagPlace place = byKey ? current() : placeAt(event->pos());
    const QPoint at = byKey ? viewport()->mapToGlobal(viewRectOf(place).center().toPoint()) : event->globalPos();
    if (place.kind != DagPlace::Kind::none)
        setCurrent(place);
    emit menuRequested(place, at);
}

void DagView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_view.invalidate();
    PaintedChildren::currentChanged(this);
}

void DagView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_view.letGo();
    updateCursor();
    m_view.invalidate();
}

// Drags -------------------------------------------------------------------------------------------

void DagView::dragEnterEvent(QDragEnterEvent* event)
{
    if (!event->mimeData()->hasFormat(QLatin1String(kNodesMime)))
        return;
    m_draggedNodes = nodesIn(event->mimeData());
    event->acceptProposedAction();
}

/// What a drag wants to get to may be out of sight.
void DagView::scrollNearEdge(QPoint at)
{
    constexpr int kEdge = 20;
    const int by = at.y() < kEdge ? -kEdge : at.y() > viewport()->height() - kEdge ? kEdge : 0;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + by);
}

void DagView::dragMoveEvent(QDragMoveEvent* event)
{
    scrollNearEdge(event->position().toPoint());
    emit dragged(m_draggedNodes, m_layout.boxAt(toContent(event->position())));
    event->acceptProposedAction();
}

void DagView::dragLeaveEvent(QDragLeaveEvent*)
{
    m_draggedNodes.clear();
    emit dragged({}, -1);
}

void DagView::dropEvent(QDropEvent* event)
{
    const int box = m_layout.boxAt(toContent(event->position()));
    const std::vector<NodeId> nodes = std::exchange(m_draggedNodes, {});
    event->acceptProposedAction();
    emit dragged({}, -1);
    if (box >= 0 && !nodes.empty())
        emit dropped(nodes, box);
}

} // namespace sunder
