#pragma once

#include "analysis/cut/compare_assignments.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// A group of repeated regions in figures.
struct GroupFigures {
    std::size_t regions = 0;
    std::size_t length = 0;  ///< nodes in each
    std::uint64_t saved = 0; ///< nodes that go when the regions become calls of one graph
};

/// Groups that a comparison is made of: the regions found, what the groups are called, and what each saves.
struct NamedRegions {
    const RegionResult& regions;
    std::vector<InternedString> names = {}; ///< per group; empty: "group 0", "group 1", …
    std::vector<std::uint64_t> saved = {};  ///< per group; empty: as if all its regions were shared
};

/// What two searches for repeated regions of one source differ in.
struct RegionComparison : AssignmentComparison {
    TagAssignment before; ///< the group of each call, by name; indices of `parts` and `moved` are into their order
    TagAssignment after;
    std::vector<GroupFigures> groupsBefore; ///< per group
    std::vector<GroupFigures> groupsAfter;
    /// Totals.
    [[nodiscard]] std::uint64_t savedBefore() const;
    [[nodiscard]] std::uint64_t savedAfter() const;
    /// Figures of a part of a pair; all zero where there is none.
    [[nodiscard]] GroupFigures figuresBefore(const PartPair& pair) const;
    [[nodiscard]] GroupFigures figuresAfter(const PartPair& pair) const;
};

/// Pairs groups by the calls that they share, whatever they are called; moved are calls that are repeated in only one of
/// the results, or in a group that is not the counterpart. Of a node in several groups, which only torch's own result
/// has, the last group holds. O(nodes + arguments + overlapping groups × log of them).
RegionComparison compareRegions(const Program& source, const NamedRegions& before, const NamedRegions& after);

} // namespace sunder
