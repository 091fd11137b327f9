#include "panes/partition_dag/tensor_rows.h"

#include "document/text.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/node_drag.h"
#include "text/amounts.h"

#include <QMimeData>

#include <memory>

namespace sunder {

void TensorRows::startDrag(Qt::DropActions)
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    const std::unique_ptr<QMimeData> dragged(model()->mimeData(rows));
    const std::vector<NodeId> nodes = nodesIn(dragged.get());
    if (!nodes.empty())
        dragNodes(*this, nodes,
                  nodes.size() == 1 && rows.size() == 1 ? rows.front().data().toString() : countText(nodes.size(), "op"));
}

} // namespace sunder

#include "moc_tensor_rows.cpp"
