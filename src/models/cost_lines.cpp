#include "models/cost_lines.h"

#include "document/part_memories.h"
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

/// Returns the memory while each op runs as at most 64 bars, each with the largest of its ops.
Property curveLine(const PartMemory& part)
{
    constexpr std::size_t kMostBars = 64;
    Property line{.key = tr("over time"), .value = countText(part.curve.size(), "op"), .mono = false};
    const std::size_t count = std::min(kMostBars, part.curve.size());
    line.bars.resize(static_cast<qsizetype>(count));
    for (std::size_t i = 0; i < part.curve.size(); ++i) {
        const double share = static_cast<double>(part.resident() + part.curve[i].bytes) / static_cast<double>(part.peak());
        double& bar = line.bars[static_cast<qsizetype>(i * count / part.curve.size())];
        bar = std::max(bar, share);
    }
    line.tip = tr("Memory while each op runs, in order. The highest bar is the peak, %1.").arg(bytesText(part.peak()));
    return line;
}

/// Returns the memory of a part: its peak with the op, the curve, and the sizes that add up to it.
std::vector<Property> memoryLines(const Document& document, const PartMemory& part)
{
    std::vector<Property> lines;
    const PartSizes& sizes = part.metrics.sizes;
    Property peak{.key = tr("peak"), .value = bytesText(part.peak()), .mono = false};
    if (const NodeId at = part.metrics.peakAt) {
        peak.value = tr("%1 at %2").arg(peak.value, text(document.graph()[at].name));
        peak.link = {document.snapshot()->program.root, at};
    }
    peak.tip = tr("%1. The largest memory during a run of this part").arg(peak.value);
    lines.push_back(std::move(peak));
    if (!part.curve.empty() && part.peak() > 0)
        lines.push_back(curveLine(part));
    lines.push_back({.key = tr("weights"), .value = bytesText(sizes.parameterBytes), .mono = false});
    lines.push_back({.key = tr("inputs"), .value = bytesText(sizes.inputBytes), .mono = false});
    lines.push_back({.key = tr("activations"), .value = bytesText(sizes.activationPeakBytes), .mono = false});
    if (part.extra > 0)
        lines.push_back({.key = tr("extra"), .value = bytesText(part.extra), .mono = false, .tip = tr("From measured costs")});
    return lines;
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

void addMemoryLines(const Document& document, int tag, const PartMemories* memories, Property& line)
{
    if (memories == nullptr || tag < 0)
        return;
    if (const PartMemory* part = memories->of(tag))
        line.children = memoryLines(document, *part);
    else
        line.children = {{.key = tr("memory"), .value = tr("Measuring…"), .mono = false}};
}

} // namespace sunder
