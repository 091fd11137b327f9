#pragma once

#include "analysis/schedule/timetable.h"
#include "passes/balance/balance_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The timetable whose step a cut should minimize. Stage i is on device i of the problem; stages of one rank have equal devices.
struct StepObjective {
    PipelineOrder order = {};
    /// Per kind of device: the share of BalanceProblem::seconds that belongs to backward calls. Empty: the backward pass takes
    /// twice as long as all of them.
    std::vector<std::vector<double>> backward = {};
};

/// Returns the costs of a cut, with the rules of placedCosts(). Without memory. O(nodes + readers).
PipelineCosts stepCosts(const BalanceProblem& problem, const StepObjective& objective, std::span<const std::uint32_t> stageOf);

/// A cut with a short step.
struct StepCut {
    std::vector<std::uint32_t> stageOf = {}; ///< per node
    double step = 0;
    double bound = 0; ///< no legal cut has a shorter step
    std::size_t tried = 0; ///< cuts whose step was computed
};

/// Finds a legal cut with a short step: improves the legal cuts in `starts`, and one with the distribution of work below, by moving ops
/// across the boundaries of stages as long as the step becomes shorter. Keeps cuts within the memory of devices, and without empty
/// stages. `effort` limits the number of simulated actions; the result is the same on every machine. Once canceled, returns the best cut so
/// far.
///
/// Not exact, but with a lower bound on the step of every legal cut. Every path through the order is a lower bound, however the ops are
/// distributed; so is every weighted mean of paths, which charges each op at least its cheapest stage. Starting with equal stages,
/// critical paths are collected and work moves to the stages that they charge less (multiplicative weights); the best mean counts. It
/// ignores transfers, the order of ops, and that ops are indivisible.
StepCut fastestStep(const BalanceProblem& problem, const StepObjective& objective,
                    std::span<const std::vector<std::uint32_t>> starts, double effort,
                    ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
