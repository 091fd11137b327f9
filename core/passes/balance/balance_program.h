#pragma once

#include "analysis/cost/node_seconds.h"
#include "analysis/device.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "passes/balance/balance_problem.h"
#include "passes/balance/step_search.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// A schedule whose step a cut should minimize.
struct BalanceStep {
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    std::uint32_t microBatches = 1;
};

struct BalanceOptions {
    std::vector<Device> devices = {}; ///< in the order of stages; empty: `stages` equal devices without a memory limit
    std::uint32_t stages = 0;         ///< without devices
    MeasuredCosts measured = {};
    std::vector<std::vector<NodeId>> together = {}; ///< in addition to those in `measured`
    bool atModules = false; ///< cuts only where modules begin and end
    bool overlap = false;   ///< transfers run during compute
    bool anyOrder = false;  ///< devices need not be used in list order
    /// Minimize the step of this schedule instead of the largest load. Every device runs one stage, or two if the schedule has
    /// several per rank; `stages` is the number of all stages.
    std::optional<BalanceStep> step = {};
    double timeLimit = 10; ///< seconds, converted to steps: the result does not depend on the machine
};

/// The constraint that determines a stage.
enum class BalanceBinding : std::uint8_t { compute, transfer, memory, group };

/// Returns "compute", "transfer", "memory", or "group".
std::string_view name(BalanceBinding binding);

/// Balanced tags with their figures. References nothing else.
struct BalancePlan {
    TagAssignment tags; ///< stage0, stage1, …; of a joint program, backward calls follow
    BalanceProblem problem; ///< its nodes are calls; backward calls belong to their forward call
    BalanceResult result;
    std::vector<NodeId> calls; ///< per node of the problem
    std::vector<std::uint32_t> nodeOf; ///< per NodeId: node of the problem; kNone without one
    std::vector<Device> devices; ///< of the problem: one for each stage
    std::vector<BalanceBinding> bindings; ///< per stage
    std::vector<std::vector<double>> backward; ///< of a joint program, as StepObjective::backward
    std::optional<StepCut> step; ///< if the step was minimized
    std::vector<std::string> assumptions; ///< sentences without a full stop

    static constexpr std::uint32_t kNone = 0xffffffffU;
};

using BalancePlanPtr = std::shared_ptr<const BalancePlan>;

/// Tags the program with the best legal cut that balance() finds. Seconds are those of nodeSeconds(), transfers follow from bytes
/// and DeviceLinks unless measured, memory is the peak of a run (`size_bytes` if the file has them). Order dependencies, writes to
/// one memory, and global state are kept. With `step`, the result is the load-optimal cut improved by fastestStep(). Without devices
/// and measured seconds, the cost model of one common accelerator is used.
///
/// Returns ErrorCode::refused, naming the entry, for more stages than calls, unknown seconds, and lists of `together` that leave
/// too few stages; otherwise errors of balance() and nodeSeconds().
Result<BalancePlan> balanceProgram(const Program& program, const BalanceOptions& options,
                                   ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns what balanceProgram() would solve: a plan without tags, result, and bindings, to measure other cuts with cutLoads().
/// Errors likewise. Linear.
Result<BalancePlan> unsolvedPlan(const Program& program, const BalanceOptions& options,
                                 ProgressMonitor& monitor = ProgressMonitor::none());

/// The figures of any tags as a cut.
struct CutLoads {
    BalanceResult result; ///< neither proven nor with a bound
    std::vector<std::int32_t> tags; ///< per stage: index of its tag. Tags without ops, or only with backward ones, have no stage
    std::vector<BalanceBinding> bindings; ///< per stage
};

/// Measures tags as a cut, by the problem of `plan`. Each tag with forward ops is a stage; stage i is on device `order[i]`, or on
/// device i without an order. Returns ErrorCode::refused for ops without a tag, and for more stages than devices.
/// O(nodes + readers), and the memory of each stage if a device has a limit.
Result<CutLoads> cutLoads(const BalancePlan& plan, const TagAssignment& tags, std::span<const std::uint32_t> order = {});

/// Returns a copy of the plan with these tags as its result, for whyInStage(): tag i is stage i. Errors of cutLoads().
Result<BalancePlan> planOfTags(const Program& program, const BalancePlan& plan, const TagAssignment& tags,
                               std::span<const std::uint32_t> order = {});

/// Describes a stage in a line: "stage1 on device "H100 1": 12 ops, 1.2 ms (compute 1.0 ms, transfers 0.2 ms), 3.0 GB of 80.0 GB,
/// limited by compute". O(nodes).
std::string describeStage(const BalancePlan& plan, std::uint32_t stage);

/// What changes if a call moves to another stage, with the calls that must stay together with it.
struct BalanceMove {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::vector<NodeId> moved; ///< ascending by node of the problem
    std::vector<BalanceLoad> loads; ///< of all stages after the move
    double largest = 0; ///< of these
    std::string obstacle; ///< why the move is not possible, with names and numbers; empty if it is
};

/// Evaluates a move. Returns ErrorCode::refused for a node without a stage. O(nodes + readers).
Result<BalanceMove> moveInBalance(const Program& program, const BalancePlan& plan, NodeId call, std::uint32_t to);

/// Says in which stage a call is, and what limits that; empty for a call without a stage.
std::string stageOfCall(const Program& program, const BalancePlan& plan, NodeId call);

/// Says why a call is in its stage: the effect of moving it to the previous and to the next stage, a sentence each.
std::vector<std::string> whyInStage(const Program& program, const BalancePlan& plan, NodeId call);

/// Says what limits a stage, and the effect of moving its first op to the previous stage and its last one to the next.
std::vector<std::string> whyStage(const Program& program, const BalancePlan& plan, std::uint32_t stage);

} // namespace sunder
