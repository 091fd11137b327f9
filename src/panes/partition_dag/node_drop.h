#pragma once

#include "ir/ids.h"

#include <QObject>

#include <functional>
#include <vector>

class QAbstractScrollArea;

namespace sunder {

/// Accepts drags of nodes (node_drag.h) over a view: reports the box under the cursor, and scrolls near the edges.
class NodeDrop final : public QObject {
    Q_OBJECT

public:
    /// `boxAt` returns the box at a point of the viewport; −1: none.
    NodeDrop(QAbstractScrollArea& view, std::function<int(QPointF)> boxAt);

signals:
    /// Emitted while nodes are dragged over a box (−1: over none, or out of the view).
    void dragged(const std::vector<sunder::NodeId>& nodes, int box);
    void dropped(const std::vector<sunder::NodeId>& nodes, int box);

protected:
    bool eventFilter(QObject* viewport, QEvent* event) override;

private:
    void scrollNearEdge(qreal y);

    QAbstractScrollArea& m_view;
    std::function<int(QPointF)> m_boxAt;
    std::vector<NodeId> m_nodes; ///< parsed once, because there can be many
};

} // namespace sunder
