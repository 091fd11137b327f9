// Costs and loads of the parts in a DagContent.
#include "panes/partition_dag/dag_content.h"

#include "document/document.h"
#include "document/text.h"
#include "support/format.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

/// Shows the load of a part in its box, with its costs in the tooltip.
void addLoad(DagBox& box, const BalanceLoad& load, BalanceBinding binding)
{
    box.cost = text(formatSeconds(load.load));
    const QString words = QObject::tr("%1 (compute %2, transfers %3), limited by %4")
                              .arg(box.cost, text(formatSeconds(load.seconds)), text(formatSeconds(load.transfer)),
                                   text(name(binding)));
    box.costs = box.costs.isEmpty() ? words : words + QLatin1Char('\n') + box.costs;
}

} // namespace

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

void addLoads(DagContent& content, const CutMeasure& measure, const Document& document)
{
    const Loads& loads = document.loads();
    const std::optional<CutLoads> cut = document.isOf(measure.source()) ? loads.of(measure.tags()) : std::nullopt;
    if (!cut)
        return;
    content.totals = QObject::tr("largest load %1 · %2").arg(text(formatSeconds(cut->result.load)), content.totals);
    for (DagBox& box : content.boxes) {
        const auto at = std::ranges::find(cut->tags, box.part);
        if (at == cut->tags.end()) // the backward pass of a stage, which its load includes
            continue;
        const auto stage = static_cast<std::size_t>(at - cut->tags.begin());
        addLoad(box, cut->result.loads[stage], cut->bindings[stage]);
    }
    if (document.devices().list().empty())
        for (const std::string& assumption : loads.problem()->assumptions)
            content.totalsTip += QLatin1Char('\n') + sentence(assumption);
}

void addLoads(DagContent& content, const BalancePlan& plan)
{
    double all = 0;
    for (const BalanceLoad& load : plan.result.loads)
        all += load.load;
    content.totalsTip = content.totals + QLatin1Char('\n') + content.totalsTip;
    content.totals =
        QObject::tr("largest load %1 · all loads %2").arg(text(formatSeconds(plan.result.load)), text(formatSeconds(all)));
    for (DagBox& box : content.boxes) {
        const auto stage = static_cast<std::size_t>(box.part);
        if (stage >= plan.result.loads.size()) // the backward pass of a stage, which its load includes
            continue;
        addLoad(box, plan.result.loads[stage], plan.bindings[stage]);
    }
}

std::vector<Device> devicesOfStages(const BalancePlan& plan)
{
    std::vector<Device> devices;
    for (const std::uint32_t device : plan.result.deviceOf)
        if (std::isfinite(plan.devices[device].availableBytes)) // otherwise the devices are equal
            devices.push_back(plan.devices[device]);
    return devices;
}

} // namespace sunder
