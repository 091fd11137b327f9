#include "models/cost_lines.h"

#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {
namespace {

QString withShare(const CostFigures& figures, const CostFigure& figure)
{
    const QString share = text(costShareText(figures, figure));
    const QString whole = text(describe(figures, figure));
    return share.isEmpty() ? whole : tr("%1 · %2").arg(whole, share);
}

void addCounts(const Document& document, std::span<const NodeId> nodes, std::vector<Property>& lines)
{
    const ProgramCosts& counts = *document.costs().counts();
    const CostFiguresPtr flops = document.costs().figures(QStringLiteral("flops"));
    const CostFigure sum = flops->sum(nodes);
    NodeCost moved;
    for (const NodeId node : nodes)
        moved.add(counts.nodes[node.index()]);
    const std::uint64_t bytes = moved.bytesRead + moved.bytesWritten;
    lines.push_back({.key = tr("FLOPs"), .value = withShare(*flops, sum), .mono = false});
    if (sum.uncounted > 0)
        lines.back().tip = tr("%1. There is no formula for these operators. Their 0 operations say nothing about their time.")
                               .arg(lines.back().value);
    lines.push_back({.key = tr("traffic"),
                     .value = tr("%1 read, %2 written").arg(bytesText(moved.bytesRead), bytesText(moved.bytesWritten)),
                     .mono = false});
    if (sum.isKnown() && sum.value > 0 && bytes > 0)
        lines.push_back({.key = tr("intensity"),
                         .value = tr("%1 FLOP/B").arg(QString::number(sum.value / static_cast<double>(bytes), 'g', 3)),
                         .mono = false,
                         .tip = tr("Floating-point operations per byte of traffic")});
}

} // namespace

std::vector<Property> costLines(const Document& document, std::span<const NodeId> nodes)
{
    std::vector<Property> lines;
    const Costs& costs = document.costs();
    const bool anyCall = std::ranges::any_of(nodes, [&](NodeId id) { return document.snapshot()->isCall(id); });
    if (!anyCall)
        return lines;
    if (costs.counts() != nullptr)
        addCounts(document, nodes, lines);
    else if (costs.state() == Costs::State::underWay)
        lines.push_back({.key = tr("costs"), .value = tr("Counting…"), .mono = false});
    else if (costs.state() == Costs::State::failed)
        lines.push_back({.key = tr("costs"),
                         .value = tr("Count again"),
                         .mono = false,
                         .action = LineAction::countCosts,
                         .tip = costs.why()});
    if (const CostFiguresPtr seconds = costs.figures(QStringLiteral("seconds"))) {
        const QString origins = costs.originsOf(nodes);
        const QString value = withShare(*seconds, seconds->sum(nodes));
        lines.push_back(
            {.key = tr("seconds"), .value = origins.isEmpty() ? value : tr("%1 (%2)").arg(value, origins), .mono = false});
    }
    for (const CostFiguresPtr& numbers : costs.numbers())
        lines.push_back(
            {.key = brief(text(numbers->name), 24), .value = withShare(*numbers, numbers->sum(nodes)), .mono = false});
    return lines;
}

} // namespace sunder
