#pragma once

#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Plan of a split by tags. Parts are numbered as in TagAssignment::order.
struct SplitPlan {
    NodeId output;                     ///< of the source
    std::vector<std::uint32_t> lastPlace; ///< per part: the last part with its name
    std::vector<std::int32_t> partOf;  ///< per NodeId: part of a call; -1 otherwise
    std::vector<NodeId> calls;         ///< grouped by part, in graph order within a part
    std::vector<std::uint32_t> begin;  ///< per part: start of its calls; one extra entry at the end
    std::vector<NodeId> placeholders;  ///< of the source, in graph order
    std::vector<NodeId> targeting;     ///< call_module and get_attr nodes, in graph order
    std::vector<NodeId> crossing;      ///< calls whose value leaves its part, by first use: in parts, then in the output

    [[nodiscard]] std::span<const NodeId> callsOf(std::size_t part) const
    {
        return std::span(calls).subspan(begin[part], begin[part + 1] - begin[part]);
    }
    [[nodiscard]] std::size_t partCount() const { return begin.size() - 1; }
};

/// Performs the checks of PyTorch's split_by_tags and groups the calls. Refuses the first invalid node in graph order: no tag, a
/// tag that is not in the order, an input from a later tag, an input that is not computed yet, a second output or none. O(nodes +
/// arguments).
Result<SplitPlan> planSplit(const Graph& graph, const TagAssignment& tags, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
