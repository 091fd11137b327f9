#pragma once

#include "ir/ids.h"

#include <QObject>

#include <functional>
#include <vector>

class QAbstractScrollArea;

namespace sunder {

/// Takes drags of nodes (node_drag.h) over a view: says over which box they are, and scrolls where they come near an edge.
class NodeDrop final : public QObject {
    Q_OBJECT

public:
    /// boxAt: the box at a place of the viewport; −1: none.
    NodeDrop(QAbstractScrollArea& view, std::function<int(QPointF)> boxAt);

signals:
    /// Nodes are being dragged over a box (−1: over none, or away).
    void dragged(const std::vector<sunder::NodeId>& nodes, int box);
    void dropped(const std::vector<sunder::NodeId>& nodes, int box);

protected:
    bool eventFilter(QObject* viewport, QEvent* event) override;

private:
    void scrollNearEdge(qreal y);

    QAbstractScrollArea& m_view;
    std::function<int(QPointF)> m_boxAt;
    std::vector<NodeId> m_nodes; ///< read once, there may be many
};

} // namespace sunder
