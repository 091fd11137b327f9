#include "passes/balance/balance_program.h"

#include "analysis/schedule/pipeline_model.h"
#include "analysis/tag_legality.h"
#include "analysis/training/backward_tags.h"
#include "passes/balance/program_problem.h"
#include "support/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder {
namespace {

constexpr double kStepsPerSecond = 1e8;

/// Leaves memory out of a problem in which everything fits on each device.
void dropLooseMemory(BalanceProblem& problem)
{
    double least = std::numeric_limits<double>::infinity();
    for (const BalanceProblem::Device& device : problem.devices)
        least = std::min(least, device.memory);
    if (!problem.bytesOf)
        return;
    double most = 0;
    for (const double bytes : problem.bytes)
        most += bytes;
    for (const BalanceProblem::Memory& memory : problem.memories)
        most += memory.bytes;
    for (const double bytes : problem.mostExtraBytes)
        most += bytes;
    if (!problem.mostExtraBytes.empty() && most <= least)
        for (BalanceProblem::Device& device : problem.devices)
            device.memory = std::numeric_limits<double>::infinity();
}

} // namespace

std::string_view name(BalanceBinding binding)
{
    switch (binding) {
    case BalanceBinding::compute: return "compute";
    case BalanceBinding::transfer: return "transfer";
    case BalanceBinding::memory: return "memory";
    case BalanceBinding::group: break;
    }
    return "group";
}

namespace {

/// The constraints that determine the stages of a result.
std::vector<BalanceBinding> bindingsOf(const BalanceProblem& problem, const std::vector<Device>& devices,
                                       const BalanceResult& result)
{
    constexpr double kFull = 0.95; ///< share of the memory
    const std::vector<std::uint32_t> unitOf = joinedGroups(problem.nodes, problem.groups);
    std::vector<double> unitSeconds(problem.nodes, 0);
    std::vector<std::uint32_t> unitNodes(problem.nodes, 0);
    for (std::uint32_t node = 0; node < problem.nodes; ++node) {
        const std::uint32_t unit = unitOf[node];
        unitSeconds[unit] += problem.seconds[problem.devices[result.deviceOf[result.stageOf[node]]].kind][node];
        ++unitNodes[unit];
    }
    std::vector<double> largestGroup(result.loads.size(), 0);
    for (std::uint32_t unit = 0; unit < problem.nodes; ++unit)
        if (unitNodes[unit] > 1) {
            double& largest = largestGroup[result.stageOf[unit]];
            largest = std::max(largest, unitSeconds[unit]);
        }
    std::vector<BalanceBinding> bindings;
    for (std::size_t stage = 0; stage < result.loads.size(); ++stage) {
        const BalanceLoad& load = result.loads[stage];
        const double available = devices[result.deviceOf[stage]].availableBytes;
        if (load.bytes > 0 && load.bytes >= kFull * available)
            bindings.push_back(BalanceBinding::memory);
        else if (load.transfer > load.seconds)
            bindings.push_back(BalanceBinding::transfer);
        else if (load.seconds > 0 && largestGroup[stage] > load.load / 2)
            bindings.push_back(BalanceBinding::group);
        else
            bindings.push_back(BalanceBinding::compute);
    }
    return bindings;
}

/// Returns the stage's name and device for messages.
std::string stageName(const BalancePlan& plan, std::uint32_t stage)
{
    return plan.tags.order[stage].str() + " on " + describe(plan.devices[plan.result.deviceOf[stage]]);
}

std::string wholeBytesText(double bytes)
{
    return formatBytes(static_cast<std::uint64_t>(bytes));
}

/// Returns the order of the schedule, and gives every stage a device.
Result<PipelineOrder> orderOfStages(const BalanceStep& step, BalanceOptions& options)
{
    if (options.anyOrder)
        return fail(ErrorCode::usage, "the step is only minimized for devices in list order");
    if (step.schedule == PipelineSchedule::inference)
        return fail(ErrorCode::usage, "inference has no training step; minimize the load instead");
    const auto devices = static_cast<std::uint32_t>(options.devices.size());
    const std::uint32_t perRank = hasOneStagePerRank(step.schedule) ? 1 : 2;
    SUNDER_TRY(const PipelineSizes sizes,
               pipelineSizes(step.schedule, devices > 0 ? devices * perRank : options.stages, step.microBatches));
    SUNDER_TRY(PipelineOrder order, pipelineOrder(step.schedule, sizes));
    if (devices == 0)
        return order;
    const std::vector<Device> given = std::exchange(options.devices, {});
    for (const std::uint32_t rank : order.rankOf) {
        options.devices.push_back(given[rank]);
        options.devices.back().availableBytes /= perRank;
    }
    return order;
}

/// Replaces the load-optimal cut by one with a shorter step.
void minimizeStep(const PipelineOrder& order, const BalanceProblem& searched, double timeLimit, BalancePlan& plan,
                  ProgressMonitor& monitor)
{
    constexpr double kActionsPerSecond = 1e6;
    std::vector<std::vector<std::uint32_t>> starts = {plan.result.stageOf};
    BalanceProblem overlapped = searched; // transfers have lanes of their own, so they overlap with compute
    overlapped.overlap = !searched.overlap;
    if (Result<BalanceResult> other = balance(overlapped, {.steps = std::max(1e6, timeLimit * kStepsPerSecond / 3)}, monitor))
        starts.push_back(std::move(other->stageOf));
    const StepObjective objective{.order = order, .backward = plan.backward};
    plan.step = fastestStep(searched, objective, starts, timeLimit * kActionsPerSecond, monitor);
    plan.result.stageOf = plan.step->stageOf;
    plan.result.loads = balanceLoads(plan.problem, plan.result.stageOf, plan.result.deviceOf);
    plan.result.load = largestLoad(plan.result.loads);
    plan.result.isProven = plan.result.load <= plan.result.bound * (1 + 1e-9);
    plan.assumptions.emplace_back(plan.backward.empty() ? "a backward pass takes twice the seconds of the forward pass"
                                                        : "backward passes take the seconds of their ops");
    plan.assumptions.emplace_back("memory limits apply to one micro-batch");
}

/// Says which devices a step does not fit on.
Result<void> checkMemoryOfStep(const Program& program, const PipelineOrder& order, const BalanceOptions& options,
                               BalancePlan& plan, ProgressMonitor& monitor)
{
    if (options.devices.empty())
        return {};
    SUNDER_TRY(const PipelineModel model,
               pipelineModel(program, plan.tags, {.devices = options.devices, .measured = options.measured}, monitor));
    SUNDER_TRY(const PipelineCosts costs, placedCosts(model, order));
    const Timetable times = timetable(order, costs);
    for (std::uint32_t rank = 0; rank < times.ranks.size(); ++rank)
        if (const std::optional<double> available = model.availableOf(rank);
            available && static_cast<double>(times.ranks[rank].peakBytes) > *available)
            plan.assumptions.push_back(describe(options.devices[rank]) + " is too small: a step needs "
                                       + formatBytes(times.ranks[rank].peakBytes) + " of its "
                                       + formatBytes(static_cast<std::uint64_t>(*available)) + ", without optimizer state");
    return {};
}

} // namespace

Result<BalancePlan> balanceProgram(const Program& program, const BalanceOptions& options, ProgressMonitor& monitor)
{
    BalancePlan plan;
    BalanceOptions used = options;
    std::optional<PipelineOrder> order;
    if (options.step) {
        SUNDER_TRY(order, orderOfStages(*options.step, used));
    }
    SUNDER_TRY(const TrainingGraph training, buildProblem(program, used, plan, ProblemUse::search, monitor));
    BalanceProblem searched = plan.problem;
    dropLooseMemory(searched);
    const double steps = std::max(1e6, options.timeLimit * kStepsPerSecond);
    SUNDER_TRY(plan.result, balance(searched, {.steps = order ? steps / 3 : steps}, monitor));
    if (order)
        minimizeStep(*order, searched, options.timeLimit, plan, monitor);
    const auto stages = static_cast<std::uint32_t>(plan.result.deviceOf.size());
    for (std::uint32_t stage = 0; stage < stages; ++stage)
        plan.tags.order.push_back(intern("stage" + std::to_string(stage)));
    plan.tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    for (std::uint32_t node = 0; node < plan.calls.size(); ++node)
        plan.tags.tagOf[plan.calls[node].index()] = static_cast<std::int32_t>(plan.result.stageOf[node]);
    plan.tags = withBackwardFollowing(program.rootGraph(), training, plan.tags);
    plan.bindings = bindingsOf(plan.problem, plan.devices, plan.result);
    if (order)
        SUNDER_PROPAGATE(checkMemoryOfStep(program, *order, options, plan, monitor));
    if (const TagReport report = checkTags(program, plan.tags); !report.isLegal() || !report.orders.empty())
        return fail(ErrorCode::refused, "the balanced tags are not legal; report this model as a bug");
    return plan;
}

Result<BalancePlan> unsolvedPlan(const Program& program, const BalanceOptions& options, ProgressMonitor& monitor)
{
    BalancePlan plan;
    SUNDER_PROPAGATE(buildProblem(program, options, plan, ProblemUse::measure, monitor));
    return plan;
}

Result<CutLoads> cutLoads(const BalancePlan& plan, const TagAssignment& tags, std::span<const std::uint32_t> order)
{
    CutLoads cut;
    std::vector<std::uint32_t> stageOfTag(tags.order.size(), BalancePlan::kNone);
    std::size_t untagged = 0;
    const auto tagOf = [&](std::uint32_t node) {
        const std::size_t id = plan.calls[node].index();
        return id < tags.tagOf.size() ? tags.tagOf[id] : TagAssignment::kUntagged;
    };
    for (std::uint32_t node = 0; node < plan.calls.size(); ++node) {
        if (const std::int32_t tag = tagOf(node); tag >= 0)
            stageOfTag[static_cast<std::size_t>(tag)] = 0;
        else
            ++untagged;
    }
    if (untagged > 0)
        return fail(ErrorCode::refused, "loads need a tag on every op: " + formatCount(untagged, "op") + " have none");
    for (std::size_t tag = 0; tag < stageOfTag.size(); ++tag)
        if (stageOfTag[tag] != BalancePlan::kNone) {
            stageOfTag[tag] = static_cast<std::uint32_t>(cut.tags.size());
            cut.tags.push_back(static_cast<std::int32_t>(tag));
        }
    if (cut.tags.size() > plan.devices.size())
        return fail(ErrorCode::refused,
                    formatCount(cut.tags.size(), "stage") + " are more than " + formatCount(plan.devices.size(), "device"));
    for (std::uint32_t stage = 0; stage < cut.tags.size(); ++stage)
        cut.result.deviceOf.push_back(order.empty() ? stage : order[stage]);
    for (std::uint32_t node = 0; node < plan.calls.size(); ++node)
        cut.result.stageOf.push_back(stageOfTag[static_cast<std::size_t>(tagOf(node))]);
    cut.result.loads = balanceLoads(plan.problem, cut.result.stageOf, cut.result.deviceOf);
    cut.result.load = largestLoad(cut.result.loads);
    cut.bindings = bindingsOf(plan.problem, plan.devices, cut.result);
    return cut;
}

Result<BalancePlan> planOfTags(const Program& program, const BalancePlan& plan, const TagAssignment& tags,
                               std::span<const std::uint32_t> order)
{
    SUNDER_TRY(CutLoads cut, cutLoads(plan, tags, order));
    BalancePlan made = plan;
    made.tags.order.clear();
    for (const std::int32_t tag : cut.tags)
        made.tags.order.push_back(tags.order[static_cast<std::size_t>(tag)]);
    made.tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    for (std::uint32_t node = 0; node < made.calls.size(); ++node)
        made.tags.tagOf[made.calls[node].index()] = static_cast<std::int32_t>(cut.result.stageOf[node]);
    made.result = std::move(cut.result);
    made.bindings = std::move(cut.bindings);
    return made;
}

std::string describeStage(const BalancePlan& plan, std::uint32_t stage)
{
    const BalanceLoad& load = plan.result.loads[stage];
    const double available = plan.devices[plan.result.deviceOf[stage]].availableBytes;
    const auto ops = static_cast<std::size_t>(std::ranges::count(plan.result.stageOf, stage));
    const std::string line = stageName(plan, stage) + ": " + formatCount(ops, "op");
    if (ops == 0)
        return line + ", empty";
    return line + ", " + formatSeconds(load.load) + " (compute " + formatSeconds(load.seconds) + ", transfers "
        + formatSeconds(load.transfer) + ")" + (load.bytes > 0 ? ", " + wholeBytesText(load.bytes) : "")
        + (std::isfinite(available) ? " of " + wholeBytesText(available) : "") + ", limited by "
        + std::string(name(plan.bindings[stage]));
}

std::string stageOfCall(const Program& program, const BalancePlan& plan, NodeId call)
{
    const std::uint32_t node = call.index() < plan.nodeOf.size() ? plan.nodeOf[call.index()] : BalancePlan::kNone;
    if (node == BalancePlan::kNone)
        return {};
    const std::uint32_t stage = plan.result.stageOf[node];
    return program.rootGraph()[call].name.str() + " is in " + stageName(plan, stage) + ": "
        + formatSeconds(plan.result.loads[stage].load) + " of at most " + formatSeconds(plan.result.load) + ", limited by "
        + std::string(name(plan.bindings[stage])) + ".";
}

Result<BalanceMove> moveInBalance(const Program& program, const BalancePlan& plan, NodeId call, std::uint32_t to)
{
    const std::uint32_t node = call.index() < plan.nodeOf.size() ? plan.nodeOf[call.index()] : BalancePlan::kNone;
    if (node == BalancePlan::kNone || to >= plan.result.deviceOf.size())
        return fail(ErrorCode::refused, "the node is in no stage");
    const BalanceProblem& problem = plan.problem;
    const std::vector<std::uint32_t> unitOf = joinedGroups(problem.nodes, problem.groups);
    BalanceMove move{.from = plan.result.stageOf[node], .to = to};
    std::vector<std::uint32_t> stageOf = plan.result.stageOf;
    for (std::uint32_t member = 0; member < problem.nodes; ++member)
        if (unitOf[member] == unitOf[node]) {
            stageOf[member] = to;
            move.moved.push_back(plan.calls[member]);
        }
    move.loads = balanceLoads(problem, stageOf, plan.result.deviceOf);
    move.largest = largestLoad(move.loads);
    const auto nameOf = [&](std::uint32_t of) { return "'" + program.rootGraph()[plan.calls[of]].name.str() + "'"; };
    for (const auto& [before, after] : problem.order)
        if (stageOf[before] > stageOf[after]) {
            move.obstacle = nameOf(after) + " in " + plan.tags.order[stageOf[after]].str() + " must run after " + nameOf(before)
                + " in " + plan.tags.order[stageOf[before]].str();
            return move;
        }
    if (const double available = plan.devices[plan.result.deviceOf[to]].availableBytes; move.loads[to].bytes > available)
        move.obstacle = stageName(plan, to) + " would need " + wholeBytesText(move.loads[to].bytes) + " and has "
            + wholeBytesText(available);
    else if (std::ranges::find(stageOf, move.from) == stageOf.end())
        move.obstacle = plan.tags.order[move.from].str() + " would be empty";
    return move;
}

namespace {

/// Describes the effect of a move: "stage0 3 s → 4 s (transfers 0 s → 1 s), stage1 …; the largest load is 4 s instead of 3 s."
std::string effectOf(const BalancePlan& plan, const BalanceMove& move)
{
    if (!move.obstacle.empty())
        return "not possible, since " + move.obstacle + ".";
    const auto change = [&](std::uint32_t of) {
        const BalanceLoad& before = plan.result.loads[of];
        const BalanceLoad& after = move.loads[of];
        std::string text = plan.tags.order[of].str() + " " + formatSeconds(before.load) + " → " + formatSeconds(after.load)
            + " (transfers " + formatSeconds(before.transfer) + " → " + formatSeconds(after.transfer);
        if (before.bytes > 0 || after.bytes > 0)
            text += ", memory " + wholeBytesText(before.bytes) + " → " + wholeBytesText(after.bytes);
        return text + ")";
    };
    return change(move.from) + ", " + change(move.to) + "; the largest load is " + formatSeconds(move.largest) + " instead of "
        + formatSeconds(plan.result.load) + ".";
}

/// "with 3 ops that must stay together with it", or nothing.
std::string companyIn(const BalanceMove& move)
{
    return move.moved.size() > 1 ? ", with " + formatCount(move.moved.size() - 1, "op") + " that must stay together with it" : "";
}

} // namespace

std::vector<std::string> whyInStage(const Program& program, const BalancePlan& plan, NodeId call)
{
    std::vector<std::string> sentences;
    const std::uint32_t node = call.index() < plan.nodeOf.size() ? plan.nodeOf[call.index()] : BalancePlan::kNone;
    if (node == BalancePlan::kNone)
        return sentences;
    const std::uint32_t stage = plan.result.stageOf[node];
    for (const std::uint32_t to : {stage - 1, stage + 1})
        if (const Result<BalanceMove> move = moveInBalance(program, plan, call, to))
            sentences.push_back("In " + plan.tags.order[to].str() + companyIn(*move) + ": " + effectOf(plan, *move));
    return sentences;
}

std::vector<std::string> whyStage(const Program& program, const BalancePlan& plan, std::uint32_t stage)
{
    std::vector<std::string> sentences{describeStage(plan, stage) + "."};
    const std::vector<std::uint32_t>& stageOf = plan.result.stageOf;
    const auto first = std::ranges::find(stageOf, stage);
    if (first == stageOf.end())
        return sentences;
    const auto last = std::find(stageOf.rbegin(), stageOf.rend(), stage);
    const std::pair<std::size_t, std::uint32_t> ends[] = {
        {static_cast<std::size_t>(first - stageOf.begin()), stage - 1},
        {static_cast<std::size_t>(last.base() - stageOf.begin()) - 1, stage + 1},
    };
    for (const auto& [node, to] : ends)
        if (const Result<BalanceMove> move = moveInBalance(program, plan, plan.calls[node], to))
            sentences.push_back("With '" + program.rootGraph()[plan.calls[node]].name.str() + "' in " + plan.tags.order[to].str()
                                + companyIn(*move) + ": " + effectOf(plan, *move));
    return sentences;
}

} // namespace sunder
