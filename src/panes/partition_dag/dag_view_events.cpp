// Mouse, keys, drags of a DagView.
#include "panes/partition_dag/dag_view.h"

#include "panes/partition_dag/dag_accessible.h"

#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

SelectionMode modeOf(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ControlModifier) ? SelectionMode::toggle
         : modifiers.testFlag(Qt::ShiftModifier)   ? SelectionMode::add
                                                   : SelectionMode::replace;
}

} // namespace

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

bool DagView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const DagPlace place = placeAt(help->pos());
        QString tip = describe(place);
        if (place.kind == DagPlace::Kind::ribbon)
            tip += tr("\nClick or Enter lists its tensors.");
        else if (place.kind == DagPlace::Kind::box)
            tip += tr("\nClick selects its ops, double-click or Enter opens its graph.");
        else
            for (std::size_t i = 0; i < m_layout.lanes.size(); ++i)
                if (m_layout.lanes[i].contains(toContent(help->pos())))
                    tip = m_content.lanes[i].tip;
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        setHovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

void DagView::setHovered(DagPlace place)
{
    const int box = place.kind == DagPlace::Kind::box ? place.index : -1;
    const int ribbon = place.kind == DagPlace::Kind::ribbon ? place.index : -1;
    if (box == m_marks.box && ribbon == m_marks.ribbon)
        return;
    m_marks.box = box;
    m_marks.ribbon = ribbon;
    viewport()->setCursor(place.kind == DagPlace::Kind::none ? Qt::ArrowCursor : Qt::PointingHandCursor);
    viewport()->update();
    emit hovered(place);
}

void DagView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && clickChip(event->position()))
        return;
    const DagPlace place = placeAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && place.kind == DagPlace::Kind::none)) {
        m_panning = true;
        m_panFrom = event->position().toPoint();
        return;
    }
    if (place.kind == DagPlace::Kind::none)
        return;
    setCurrent(place);
    if (event->button() == Qt::LeftButton)
        emit picked(place, modeOf(event->modifiers()));
}

void DagView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_panning) {
        setHovered(placeAt(event->position().toPoint()));
        return;
    }
    const QPoint by = event->position().toPoint() - m_panFrom;
    m_panFrom = event->position().toPoint();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void DagView::mouseReleaseEvent(QMouseEvent*)
{
    m_panning = false;
}

void DagView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const DagPlace place = placeAt(event->position().toPoint());
    if (place.kind != DagPlace::Kind::none)
        emit activated(place);
}

void DagView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setZoom(m_zoom * std::pow(1.0015, event->angleDelta().y()), event->position());
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
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

// Keys --------------------------------------------------------------------------------------------

std::vector<int> DagView::ribbonsFrom(int box) const
{
    std::vector<int> found;
    for (std::size_t i = 0; i < m_content.ribbons.size(); ++i)
        if (static_cast<int>(m_content.ribbons[i].from) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

std::vector<int> DagView::ribbonsTo(int box) const
{
    std::vector<int> found;
    for (std::size_t i = 0; i < m_content.ribbons.size(); ++i)
        if (static_cast<int>(m_content.ribbons[i].to) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

DagPlace DagView::next(int key) const
{
    const DagPlace at = current();
    const int last = static_cast<int>(m_content.boxes.size()) - 1;
    const auto box = [](int index) { return DagPlace{DagPlace::Kind::box, index}; };
    if (key == Qt::Key_Home || at.kind == DagPlace::Kind::none)
        return last >= 0 ? box(0) : DagPlace();
    if (key == Qt::Key_End)
        return box(last);
    if (at.kind == DagPlace::Kind::box) {
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            return box(std::clamp(at.index + (key == Qt::Key_Down ? 1 : -1), 0, last));
        const std::vector<int> ribbons = key == Qt::Key_Right ? ribbonsFrom(at.index) : ribbonsTo(at.index);
        return ribbons.empty() ? at : DagPlace{DagPlace::Kind::ribbon, ribbons.front()};
    }
    const DagRibbon& ribbon = m_content.ribbons[static_cast<std::size_t>(at.index)];
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        return box(static_cast<int>(key == Qt::Key_Right ? ribbon.to : ribbon.from));
    const std::vector<int> siblings = ribbonsFrom(static_cast<int>(ribbon.from));
    const auto place = std::find(siblings.begin(), siblings.end(), at.index) - siblings.begin() + (key == Qt::Key_Down ? 1 : -1);
    return {DagPlace::Kind::ribbon,
            siblings[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(siblings) - 1))]};
}

void DagView::keyPressEvent(QKeyEvent* event)
{
    const auto step = [&](DagPlace place) {
        setCurrent(place);
        ensureShown(place);
    };
    const bool plain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
        if (plain) {
            step(next(event->key()));
            return;
        }
        break;
    case Qt::Key_Space:
        if (current().kind != DagPlace::Kind::none)
            emit picked(current(), modeOf(event->modifiers()));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (plain && current().kind != DagPlace::Kind::none) {
            emit activated(current());
            return;
        }
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: setZoom(m_zoom * 1.25, QRectF(viewport()->rect()).center()); return;
    case Qt::Key_Minus: setZoom(m_zoom / 1.25, QRectF(viewport()->rect()).center()); return;
    default: break;
    }
    event->ignore(); // QAbstractScrollArea would scroll
}

void DagView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
    dagFocusMoved(this);
}

void DagView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

// Drags -------------------------------------------------------------------------------------------

void DagView::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasFormat(QLatin1String(kNodesMime)))
        event->acceptProposedAction();
}

void DagView::dragMoveEvent(QDragMoveEvent* event)
{
    const DagPlace place = placeAt(event->position().toPoint());
    const int box = place.kind == DagPlace::Kind::box ? place.index : -1;
    emit dragged(nodesIn(event->mimeData()), box);
    event->acceptProposedAction();
}

void DagView::dragLeaveEvent(QDragLeaveEvent*)
{
    emit dragged({}, -1);
}

void DagView::dropEvent(QDropEvent* event)
{
    const DagPlace place = placeAt(event->position().toPoint());
    const std::vector<NodeId> nodes = nodesIn(event->mimeData());
    event->acceptProposedAction();
    emit dragged({}, -1);
    if (place.kind == DagPlace::Kind::box && !nodes.empty())
        emit dropped(nodes, place.index);
}

} // namespace sunder
