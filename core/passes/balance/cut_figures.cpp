#include "passes/balance/cut_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder {
namespace {

constexpr double kLoadRounding = 1e-9; ///< relative difference by rounding

BalanceOptions balanceOptions(const CutFiguresOptions& options, std::size_t stages)
{
    BalanceOptions made{
        .devices = options.devices, .measured = options.measured, .overlap = options.overlap, .timeLimit = options.timeLimit};
    if (made.devices.empty())
        made.stages = static_cast<std::uint32_t>(std::max<std::size_t>(1, stages));
    else if (made.devices.size() > stages)
        made.devices.resize(std::max<std::size_t>(1, stages));
    return made;
}

/// Returns the tags that forward or backward ops have, in their order.
TagAssignment withoutEmptyTags(const Program& program, const TagAssignment& tags)
{
    const Graph& graph = program.rootGraph();
    std::vector<std::int32_t> placeOf(tags.order.size(), TagAssignment::kUntagged);
    for (const NodeId id : graph.nodes())
        if (const std::int32_t tag = graph[id].isCall() ? tags[id] : TagAssignment::kUntagged; tag >= 0)
            placeOf[static_cast<std::size_t>(tag)] = 0;
    TagAssignment used;
    for (std::size_t tag = 0; tag < placeOf.size(); ++tag)
        if (placeOf[tag] >= 0) {
            placeOf[tag] = static_cast<std::int32_t>(used.order.size());
            used.order.push_back(tags.order[tag]);
        }
    used.tagOf = tags.tagOf;
    for (std::int32_t& tag : used.tagOf)
        tag = tag >= 0 ? placeOf[static_cast<std::size_t>(tag)] : tag;
    return used;
}

void addAssumptions(const std::vector<std::string>& from, CutFigures& to)
{
    for (const std::string& assumption : from)
        if (std::ranges::find(to.assumptions, assumption) == to.assumptions.end())
            to.assumptions.push_back(assumption);
}

Result<void> addLoads(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options, CutFigures& figures,
                      ProgressMonitor& monitor)
{
    SUNDER_TRY(const BalancePlan plan, unsolvedPlan(program, balanceOptions(options, tags.order.size()), monitor));
    SUNDER_TRY(CutLoads loads, cutLoads(plan, tags));
    for (std::size_t stage = 0; stage < loads.tags.size(); ++stage) {
        figures.stages.push_back(tags.order[static_cast<std::size_t>(loads.tags[stage])].str());
        figures.devices.push_back(plan.devices[stage]);
    }
    figures.loads = std::move(loads);
    addAssumptions(plan.assumptions, figures);
    return {};
}

Result<void> addStep(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options, CutFigures& figures,
                     ProgressMonitor& monitor)
{
    SUNDER_TRY(PipelineModel made,
               pipelineModel(
                   program, tags,
                   {.devices = options.devices, .measured = options.measured, .statesPerParameter = options.statesPerParameter},
                   monitor));
    const auto model = std::make_shared<const PipelineModel>(std::move(made));
    SUNDER_TRY(const PipelineSizes sizes, pipelineSizes(options.step->schedule, *model, options.step->microBatches));
    SUNDER_PROPAGATE(monitor.check());
    SUNDER_TRY(figures.step, plannedSchedule(options.step->schedule, sizes, model));
    addAssumptions(model->assumptionsFor(options.step->schedule), figures);
    return {};
}

} // namespace

Result<CutFigures> cutFigures(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options,
                              ProgressMonitor& monitor)
{
    const TagAssignment used = withoutEmptyTags(program, tags);
    CutFigures figures;
    if (const Result<void> added = addLoads(program, used, options, figures, monitor); !added)
        figures.whyNoLoads = describe(added.error());
    SUNDER_PROPAGATE(monitor.check());
    if (options.step)
        if (const Result<void> added = addStep(program, used, options, figures, monitor); !added)
            figures.whyNoStep = describe(added.error());
    SUNDER_PROPAGATE(monitor.check());
    return figures;
}

Result<LoadBound> loadBound(const Program& program, std::uint32_t stages, const CutFiguresOptions& options,
                            ProgressMonitor& monitor)
{
    SUNDER_TRY(const BalancePlan plan, balanceProgram(program, balanceOptions(options, stages), monitor));
    return LoadBound{plan.result.bound, plan.result.load, plan.result.isProven};
}

double gapOf(double load, const LoadBound& bound)
{
    return BalanceResult{.load = load, .bound = bound.bound}.gap();
}

bool isOptimal(double load, const LoadBound& bound)
{
    return bound.isProven && std::abs(load - bound.best) <= bound.best * kLoadRounding;
}

std::string describeQuality(double load, const LoadBound& bound)
{
    if (load < bound.bound * (1 - kLoadRounding))
        return "below the bound of legal cuts";
    return describeQuality(BalanceResult{.load = load, .bound = bound.bound, .isProven = isOptimal(load, bound)});
}

} // namespace sunder
