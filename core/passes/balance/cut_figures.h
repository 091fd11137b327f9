#pragma once

#include "analysis/schedule/planned_schedule.h"
#include "passes/balance/balance_program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

struct CutFiguresOptions {
    std::vector<Device> devices = {}; ///< of the stages, and of the ranks of the schedule, in order; empty: equal devices
    MeasuredCosts measured = {};
    bool overlap = false; ///< transfers run during compute; for the loads
    std::optional<BalanceStep> step = {}; ///< the schedule whose step is computed
    std::uint64_t statesPerParameter = 0; ///< numbers that the optimizer keeps for each parameter
    double timeLimit = 10; ///< of loadBound(), as BalanceOptions::timeLimit
};

/// The time of a cut: the loads of its stages, and the step of a schedule.
struct CutFigures {
    std::optional<CutLoads> loads = {};
    std::string whyNoLoads = {}; ///< without loads: the refusal, for messages
    std::vector<std::string> stages = {}; ///< per stage of `loads`: its tag
    std::vector<Device> devices = {}; ///< per stage of `loads`
    std::optional<PlannedSchedule> step = {};
    std::string whyNoStep = {}; ///< with a schedule, but without a step
    std::vector<std::string> assumptions = {}; ///< sentences without a full stop and without repetitions
};

/// Computes the figures of a cut, with a stage for each tag that has ops. The result has the reason if a cut is refused: ops without
/// a tag, more stages than devices, values to earlier stages, sizes that the schedule refuses. The only error is
/// ErrorCode::cancelled. Costs as unsolvedPlan() and pipelineModel().
Result<CutFigures> cutFigures(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options,
                              ProgressMonitor& monitor = ProgressMonitor::none());

/// A bound of all cuts into a number of stages, and the best cut found.
struct LoadBound {
    double bound = 0; ///< no legal cut that fits the memory has a smaller largest load
    double best = 0; ///< largest load of the best cut found
    bool isProven = false; ///< `best` is optimal
};

/// Balances the program for this number of stages, on the first ones of the devices. Errors as balanceProgram(); a cancelled
/// search may return a weaker bound.
Result<LoadBound> loadBound(const Program& program, std::uint32_t stages, const CutFiguresOptions& options,
                            ProgressMonitor& monitor = ProgressMonitor::none());

/// Compares the largest load of a cut with the bound: "optimal, proven", "at most 1.8 % above optimal", or "below the bound of legal
/// cuts".
std::string describeQuality(double load, const LoadBound& bound);

/// Returns whether no legal cut has a smaller load, up to rounding.
bool isOptimal(double load, const LoadBound& bound);

/// Returns the load divided by the bound, minus 1; infinite for a load without a bound.
double gapOf(double load, const LoadBound& bound);

} // namespace sunder
