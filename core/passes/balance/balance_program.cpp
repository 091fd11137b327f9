#include "passes/balance/balance_program.h"

#include "analysis/tag_legality.h"
#include "analysis/training/backward_tags.h"
#include "passes/balance/program_problem.h"
#include "support/format.h"

#include <algorithm>

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

/// Returns the stage's name for messages.
std::string stageName(const BalancePlan& plan, std::uint32_t stage)
{
    return "stage" + std::to_string(stage) + " on " + describe(plan.devices[plan.result.deviceOf[stage]]);
}

} // namespace

Result<BalancePlan> balanceProgram(const Program& program, const BalanceOptions& options, ProgressMonitor& monitor)
{
    BalancePlan plan;
    SUNDER_TRY(const TrainingGraph training, buildProblem(program, options, plan, monitor));
    BalanceProblem searched = plan.problem;
    dropLooseMemory(searched);
    SUNDER_TRY(plan.result, balance(searched, {.steps = std::max(1e6, options.timeLimit * kStepsPerSecond)}, monitor));
    const auto stages = static_cast<std::uint32_t>(plan.result.deviceOf.size());
    for (std::uint32_t stage = 0; stage < stages; ++stage)
        plan.tags.order.push_back(intern("stage" + std::to_string(stage)));
    plan.tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    for (std::uint32_t node = 0; node < plan.calls.size(); ++node)
        plan.tags.tagOf[plan.calls[node].index()] = static_cast<std::int32_t>(plan.result.stageOf[node]);
    plan.tags = withBackwardFollowing(program.rootGraph(), training, plan.tags);
    plan.bindings = bindingsOf(plan.problem, plan.devices, plan.result);
    if (const TagReport report = checkTags(program, plan.tags); !report.isLegal() || !report.orders.empty())
        return fail(ErrorCode::refused, "the balanced tags are not legal; report this model as a bug");
    return plan;
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
    for (const BalanceLoad& load : move.loads)
        move.largest = std::max(move.largest, load.load);
    const auto nameOf = [&](std::uint32_t of) { return "'" + program.rootGraph()[plan.calls[of]].name.str() + "'"; };
    for (const auto& [before, after] : problem.order)
        if (stageOf[before] > stageOf[after]) {
            move.obstacle = nameOf(after) + " in stage" + std::to_string(stageOf[after]) + " must run after " + nameOf(before)
                + " in stage" + std::to_string(stageOf[before]);
            return move;
        }
    if (const double available = plan.devices[plan.result.deviceOf[to]].availableBytes; move.loads[to].bytes > available)
        move.obstacle = stageName(plan, to) + " would need " + formatBytes(static_cast<std::uint64_t>(move.loads[to].bytes))
            + " and has " + formatBytes(static_cast<std::uint64_t>(available));
    else if (std::ranges::find(stageOf, move.from) == stageOf.end())
        move.obstacle = "stage" + std::to_string(move.from) + " would be empty";
    return move;
}

std::vector<std::string> whyInStage(const Program& program, const BalancePlan& plan, NodeId call)
{
    std::vector<std::string> sentences;
    const std::uint32_t node = call.index() < plan.nodeOf.size() ? plan.nodeOf[call.index()] : BalancePlan::kNone;
    if (node == BalancePlan::kNone)
        return sentences;
    const std::uint32_t stage = plan.result.stageOf[node];
    for (const std::uint32_t to : {stage - 1, stage + 1}) {
        const Result<BalanceMove> move = moveInBalance(program, plan, call, to);
        if (!move)
            continue;
        std::string sentence = "In stage" + std::to_string(to) + ": ";
        if (move->moved.size() > 1)
            sentence = "In stage" + std::to_string(to) + ", with " + formatCount(move->moved.size() - 1, "op")
                + " that must stay together with it: ";
        if (!move->obstacle.empty()) {
            sentences.push_back(sentence + "not possible, since " + move->obstacle + ".");
            continue;
        }
        const auto change = [&](std::uint32_t of) {
            const BalanceLoad& before = plan.result.loads[of];
            const BalanceLoad& after = move->loads[of];
            std::string text = "stage" + std::to_string(of) + " " + formatSeconds(before.load) + " → " + formatSeconds(after.load)
                + " (transfers " + formatSeconds(before.transfer) + " → " + formatSeconds(after.transfer);
            if (before.bytes > 0 || after.bytes > 0)
                text += ", memory " + formatBytes(static_cast<std::uint64_t>(before.bytes)) + " → "
                    + formatBytes(static_cast<std::uint64_t>(after.bytes));
            return text + ")";
        };
        sentences.push_back(sentence + change(stage) + ", " + change(to) + "; the largest load is " + formatSeconds(move->largest)
                            + " instead of " + formatSeconds(plan.result.load) + ".");
    }
    return sentences;
}

} // namespace sunder
