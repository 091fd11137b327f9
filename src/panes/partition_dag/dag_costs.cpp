// Costs of the parts in a DagContent.
#include "panes/partition_dag/dag_content.h"

#include "document/document.h"
#include "document/text.h"

namespace sunder {

void addCosts(DagContent& content, const CutMeasure& measure, const Document& document)
{
    const Costs& costs = document.costs();
    if (!document.isOf(measure.source()) || costs.counts() == nullptr)
        return;
    std::vector<std::vector<NodeId>> nodesOf(measure.tags().order.size());
    const Graph& graph = document.graph();
    for (const NodeId id : graph.order())
        if (graph[id].isCall() && id.index() < measure.tags().tagOf.size())
            if (const std::int32_t part = measure.tags()[id]; part >= 0)
                nodesOf[static_cast<std::size_t>(part)].push_back(id);
    const CostFiguresPtr seconds = costs.figures(QStringLiteral("seconds"));
    const CostFiguresPtr figures = seconds ? seconds : costs.figures(QStringLiteral("flops"));
    for (DagBox& box : content.boxes) {
        const std::vector<NodeId>& nodes = nodesOf[static_cast<std::size_t>(box.part)];
        const CostFigure sum = figures->sum(nodes);
        box.costs = costs.describe(nodes);
        if (sum.isKnown())
            box.cost = text(costText(figures->unit, sum.value));
    }
}

} // namespace sunder
