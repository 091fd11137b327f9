#include "panes/partition_dag/node_drop.h"

#include "panes/partition_dag/node_drag.h"

#include <QAbstractScrollArea>
#include <QDropEvent>
#include <QScrollBar>

#include <utility>

namespace sunder {

NodeDrop::NodeDrop(QAbstractScrollArea& view, std::function<int(QPointF)> boxAt)
    : QObject(&view), m_view(view), m_boxAt(std::move(boxAt))
{
    view.setAcceptDrops(true);
    view.viewport()->installEventFilter(this);
}

bool NodeDrop::eventFilter(QObject*, QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter: {
        auto* enter = static_cast<QDropEvent*>(event);
        if (!carriesNodes(*enter->mimeData()))
            return false;
        m_nodes = nodesIn(enter->mimeData());
        enter->acceptProposedAction();
        return true;
    }
    case QEvent::DragMove: {
        auto* move = static_cast<QDropEvent*>(event);
        scrollNearEdge(move->position().y());
        emit dragged(m_nodes, m_boxAt(move->position()));
        move->acceptProposedAction();
        return true;
    }
    case QEvent::DragLeave:
        m_nodes.clear();
        emit dragged({}, -1);
        return true;
    case QEvent::Drop: {
        auto* drop = static_cast<QDropEvent*>(event);
        const int box = m_boxAt(drop->position());
        const std::vector<NodeId> nodes = std::exchange(m_nodes, {});
        drop->acceptProposedAction();
        emit dragged({}, -1);
        if (box >= 0 && !nodes.empty())
            emit dropped(nodes, box);
        return true;
    }
    default: return false;
    }
}

/// The drop target may be scrolled out of view.
void NodeDrop::scrollNearEdge(qreal y)
{
    constexpr int kEdge = 20;
    const int by = y < kEdge ? -kEdge : y > m_view.viewport()->height() - kEdge ? kEdge : 0;
    m_view.verticalScrollBar()->setValue(m_view.verticalScrollBar()->value() + by);
}

} // namespace sunder

#include "moc_node_drop.cpp"
