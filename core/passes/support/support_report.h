#pragma once

#include "passes/support/tag_by_support.h"

namespace sunder {

/// Number of steps in a report.
inline constexpr std::size_t kSupportSteps = 20;

/// Sizes of a graph that is tagged by support.
struct SupportFigures {
    std::size_t partitions = 0; ///< parts, those on the CPU included
    std::size_t nodes = 0;      ///< ops on the accelerator
    std::uint64_t bytes = 0;    ///< of values, once for each other part that uses them

    friend bool operator==(const SupportFigures&, const SupportFigures&) = default;
};

/// Ops that separate two accelerator parts.
struct SupportBreak {
    std::uint32_t after = 0;  ///< part
    std::uint32_t before = 0; ///< the next accelerator part
    std::vector<NodeId> unsupported; ///< not supported, in graph order
    std::vector<NodeId> other;       ///< supported, but kept on the CPU by the method
};

/// An operator worth supporting next, and the figures with it and all operators of earlier steps supported.
struct SupportStep {
    InternedString name;
    SupportFigures figures;
};

/// Returns the figures of parts. O(nodes + edges).
SupportFigures supportFigures(const SupportGraph& graph, const SupportParts& parts);

/// Returns the breaks between accelerator parts, in execution order. O(nodes + edges).
std::vector<SupportBreak> supportBreaks(const SupportGraph& graph, const SupportedOps& supported, const SupportParts& parts);

/// Returns up to `most` operators to support next, cumulatively: each is the one that leaves the fewest parts, then the fewest bytes, then
/// comes first by name. Runs the method of the options, without `asUpstream` and `maxAccSplits`, for each candidate of each step.
Result<std::vector<SupportStep>> supportNext(const SupportGraph& graph, SupportedOps supported, SupportOptions options,
                                             std::size_t most, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
