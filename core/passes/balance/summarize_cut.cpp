#include "passes/balance/summarize_cut.h"

#include "analysis/cost/node_costs.h"
#include "analysis/cut/cut_metrics.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// Adds the parts with ops, and what crosses their boundaries.
void addMetrics(const CutMetrics& metrics, CutSummary& summary)
{
    for (const PartMetrics& part : metrics.parts) {
        if (part.sizes.ops == 0)
            continue;
        CutSummary::Part& added = summary.parts.emplace_back();
        added.name = part.name.str();
        added.ops = part.sizes.ops;
        added.weights = part.sizes.parameterBytes;
        added.peak = part.sizes.usedBytes();
        for (const Port& port : part.interface.outputs)
            added.sends += port.to.empty() ? 0 : port.bytes;
    }
    summary.untagged = metrics.untaggedCalls;
    summary.crossing = metrics.crossingBytes;
    summary.duplicated = metrics.duplicatedBytes;
    summary.memoryImbalance = metrics.imbalance;
}

Result<void> addOperations(const Program& program, const TagAssignment& tags, CutSummary& summary, ProgressMonitor& monitor)
{
    SUNDER_TRY(const ProgramCosts costs, programCosts(program, monitor));
    const Graph& graph = program.rootGraph();
    std::vector<std::optional<std::uint64_t>> flops(tags.order.size(), 0);
    for (const NodeId id : graph.nodes()) {
        const std::int32_t tag = graph[id].isCall() ? tags[id] : TagAssignment::kUntagged;
        if (tag < 0)
            continue;
        std::optional<std::uint64_t>& sum = flops[static_cast<std::size_t>(tag)];
        const std::optional<std::uint64_t>& more = costs.nodes[id.index()].flops;
        sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
    }
    for (std::size_t tag = 0; tag < tags.order.size(); ++tag)
        if (const auto part = std::ranges::find(summary.parts, tags.order[tag].view(), &CutSummary::Part::name);
            part != summary.parts.end())
            part->flops = flops[tag];
    return {};
}

Result<void> addBound(const Program& program, const CutFigures& figures, const CutFiguresOptions& options, CutSummary& summary,
                      ProgressMonitor& monitor)
{
    const Result<LoadBound> found = loadBound(program, static_cast<std::uint32_t>(figures.stages.size()), options, monitor);
    SUNDER_PROPAGATE(monitor.check());
    if (!found)
        return {};
    summary.bound = found->bound;
    summary.isOptimal = figures.loads && isOptimal(figures.loads->result.load, *found);
    return {};
}

} // namespace

Result<CutSummary> summarizeCut(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options,
                                SummaryBound bound, ProgressMonitor& monitor)
{
    CutSummary summary;
    SUNDER_TRY(const CutGraph graph, cutGraph(program, monitor));
    addMetrics(cutMetrics(graph, tags), summary);
    SUNDER_PROPAGATE(addOperations(program, tags, summary, monitor));
    SUNDER_TRY(const CutFigures figures, cutFigures(program, tags, options, monitor));
    summary.whyNoLoads = figures.whyNoLoads;
    if (!figures.loads)
        return summary;
    for (std::size_t stage = 0; stage < figures.stages.size(); ++stage)
        if (const auto part = std::ranges::find(summary.parts, figures.stages[stage], &CutSummary::Part::name);
            part != summary.parts.end())
            part->load = figures.loads->result.loads[stage].load;
    summary.assumptions = figures.assumptions;
    if (bound == SummaryBound::search)
        SUNDER_PROPAGATE(addBound(program, figures, options, summary, monitor));
    return summary;
}

} // namespace sunder
