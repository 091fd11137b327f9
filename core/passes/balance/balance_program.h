#pragma once

#include "analysis/cost/node_seconds.h"
#include "analysis/device.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "passes/balance/balance_problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

struct BalanceOptions {
    std::vector<Device> devices = {}; ///< in the order of stages; empty: `stages` equal devices without a memory limit
    std::uint32_t stages = 0;         ///< without devices
    MeasuredCosts measured = {};
    std::vector<std::vector<NodeId>> together = {}; ///< in addition to those in `measured`
    bool atModules = false; ///< cuts only where modules begin and end
    bool overlap = false;   ///< transfers run during compute
    bool anyOrder = false;  ///< devices need not be used in list order
    double timeLimit = 10;  ///< seconds, converted to steps: the result does not depend on the machine
};

/// The constraint that determines a stage.
enum class BalanceBinding : std::uint8_t { compute, transfer, memory, group };

/// Returns "compute", "transfer", "memory", or "group".
std::string_view name(BalanceBinding binding);

/// Balanced tags with their figures. References nothing else.
struct BalancePlan {
    TagAssignment tags;         ///< stage0, stage1, …; of a joint program, backward calls follow
    BalanceProblem problem;     ///< its nodes are calls; backward calls belong to their forward call
    BalanceResult result;
    std::vector<NodeId> calls;  ///< per node of the problem
    std::vector<std::uint32_t> nodeOf; ///< per NodeId: node of the problem; kNone without one
    std::vector<Device> devices; ///< of the problem
    std::vector<BalanceBinding> bindings; ///< per stage
    std::vector<std::string> assumptions; ///< sentences without a full stop

    static constexpr std::uint32_t kNone = 0xffffffffU;
};

/// Tags the program with the best legal cut that balance() finds. Seconds are those of nodeSeconds(), transfers follow from bytes
/// and DeviceLinks unless measured, memory is the peak of a run (`size_bytes` if the file has them). Order dependencies, writes to
/// one memory, and global state are kept. Without devices and measured seconds, the cost model of one common accelerator is used.
///
/// Returns ErrorCode::refused, naming the entry, for more stages than calls, unknown seconds, and lists of `together` that leave
/// too few stages; otherwise errors of balance() and nodeSeconds().
Result<BalancePlan> balanceProgram(const Program& program, const BalanceOptions& options,
                                   ProgressMonitor& monitor = ProgressMonitor::none());

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

/// Says why a call is in its stage: the effect of moving it to the previous and to the next stage, a sentence each.
std::vector<std::string> whyInStage(const Program& program, const BalancePlan& plan, NodeId call);

} // namespace sunder
