#pragma once

#include "analysis/cost/node_seconds.h"
#include "analysis/cut/part_measure.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sunder {

/// What is measured for training.
struct TrainingOptions {
    std::vector<std::uint64_t> inFlight = {}; ///< per part: micro-batches whose backward pass is still to come; empty: one each
    std::uint64_t statesPerParameter = 0; ///< numbers that the optimizer keeps for each parameter
};

/// What training keeps between the forward and the backward pass, in bytes.
struct TrainingMemory {
    std::uint64_t inFlight = 1; ///< micro-batches
    std::uint64_t kept = 0;     ///< for all of them
    std::uint64_t gradients = 0;
    std::uint64_t optimizer = 0;
};

/// The memory of a part, or of the whole model.
struct PartMemory {
    std::string name;
    PartMetrics metrics = {};
    std::vector<MemoryPoint> curve = {}; ///< of its activations
    std::uint64_t extra = 0; ///< as entered by the user
    std::optional<TrainingMemory> training = {};

    [[nodiscard]] std::uint64_t resident() const { return metrics.sizes.residentBytes() + extra; }
    [[nodiscard]] std::uint64_t peak() const { return metrics.sizes.usedBytes() + extra; }
    [[nodiscard]] std::uint64_t total() const
    {
        return peak() + (training ? training->kept + training->gradients + training->optimizer : 0);
    }
};

struct MemoryReport {
    std::vector<PartMemory> parts; ///< in the order of tags; without tags, the whole model
    std::uint64_t untagged = 0;    ///< calls in no part
    std::set<std::string> assumed; ///< targets that are assumed to save all operands and results
};

/// Measures the parts of a model, with the extra memory and the recomputed modules in `costs`, and the memory of training if
/// options are given. O(calls + arguments).
MemoryReport memoryReport(const Program& program, const TagAssignment& tags, const MeasuredCosts& costs,
                          const std::optional<TrainingOptions>& training);

} // namespace sunder
