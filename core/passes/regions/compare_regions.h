#pragma once

#include "analysis/cut/compare_assignments.h"
#include "ir/graph.h"
#include "passes/regions/region_result.h"

#include <string>

namespace sunder {

/// Describes the first difference between two nodes of a graph: "has 0.5, not 0.125", "calls aten.gelu.default, not
/// aten.relu.default", "takes f32[8], not f32[16]". Compares what region tracking compares: op, target, arguments with their
/// constants, keywords, and the values of inputs. Empty if all are equal. O(arguments and the size of the inputs' `val`).
std::string nodeDifference(const Graph& graph, NodeId node, NodeId other);

/// Statistics of a group of repeated regions.
struct GroupFigures {
    std::size_t regions = 0;
    std::size_t length = 0;  ///< nodes in each region
    std::uint64_t saved = 0; ///< nodes saved if the regions become calls of one graph
};

/// Input of a comparison: the regions found, and names and savings of their groups.
struct NamedRegions {
    const RegionResult& regions;
    std::vector<InternedString> names = {}; ///< per group; empty: "group 0", "group 1", …
    std::vector<std::uint64_t> saved = {};  ///< per group; empty: computed as if all regions were shared
};

/// Differences between two searches for repeated regions of one source.
struct RegionComparison : AssignmentComparison {
    TagAssignment before; ///< the group of each call, by name; indices of `parts` and `moved` refer to its order
    TagAssignment after;
    std::vector<GroupFigures> groupsBefore; ///< per group
    std::vector<GroupFigures> groupsAfter;
    /// Totals over all groups.
    [[nodiscard]] std::uint64_t savedBefore() const;
    [[nodiscard]] std::uint64_t savedAfter() const;
    /// Statistics of one side of a pair; all zero if it is missing.
    [[nodiscard]] GroupFigures figuresBefore(const PartPair& pair) const;
    [[nodiscard]] GroupFigures figuresAfter(const PartPair& pair) const;
};

/// Pairs groups by the calls that they share, regardless of names. A call counts as moved if it is repeated in only one result,
/// or if its groups are not paired. A node in several groups, which occurs only with `asUpstream`, counts for the last one.
/// O(nodes + arguments + overlapping groups × log of them).
RegionComparison compareRegions(const Program& source, const NamedRegions& before, const NamedRegions& after);

} // namespace sunder
