#pragma once

#include "analysis/cut/cut_graph.h"
#include "ir/identity_map.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// Weights of pairs: rows × columns, all rows of equal length, no negative ones.
using PairWeights = std::vector<std::vector<std::int64_t>>;

/// Pairs rows with columns, each at most once, so that the sum of the weights is the largest possible. Returns the column per row;
/// −1: none. Pairs of weight 0 are left out. O(rows × columns × the smaller of them), by shortest augmenting paths (Kuhn 1955, Jonker
/// and Volgenant 1987).
std::vector<std::int32_t> heaviestPairing(const PairWeights& weights);

enum class PartMatching : std::uint8_t {
    names, ///< equal names first, then the rest by overlap
    overlap, ///< by shared calls, so that the fewest calls moved; names are ignored
};

/// A pair of corresponding parts, or a part that only one of the cuts has.
struct PartPair {
    std::int32_t before = TagAssignment::kUntagged; ///< index into the first order; kUntagged: new
    std::int32_t after = TagAssignment::kUntagged; ///< index into the second order; kUntagged: removed
    bool isByName = false;
};

/// A call that is in another part than before.
struct MovedNode {
    NodeId node;
    std::int32_t before = TagAssignment::kUntagged; ///< part in the first cut; kUntagged: in none
    std::int32_t after = TagAssignment::kUntagged; ///< part in the second cut
    friend bool operator==(const MovedNode&, const MovedNode&) = default;
};

/// The calls that moved from one part to another.
struct MoveGroup {
    std::int32_t before = TagAssignment::kUntagged;
    std::int32_t after = TagAssignment::kUntagged;
    std::size_t calls = 0;
    std::uint64_t bytes = 0; ///< of their results
};

/// The parts of a source's calls in two assignments, "before" and "after". A part may be a part of a cut or any other container
/// of calls: a module, or a group of repeated regions.
struct AssignmentComparison {
    std::vector<PartPair> parts; ///< in the order of the second assignment, then removed parts
    std::vector<MovedNode> moved; ///< in graph order: calls outside the counterpart of their old part
    std::vector<MoveGroup> groups; ///< of `moved`, most calls first
};

/// Pairs the parts and finds moved calls. Pairs more than 256 parts by largest overlap first, which may count a few more calls as
/// moved. O(calls + overlapping pairs × log of them + parts³).
AssignmentComparison compareAssignments(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after,
                                        PartMatching matching = PartMatching::names);

/// A module whose graph size differs between two results, or that only one of them has.
struct ModuleChange {
    InternedString path; ///< "" is the root
    std::optional<std::size_t> nodesBefore; ///< of its graphs; nothing: no such module
    std::optional<std::size_t> nodesAfter;
};

/// The differences between two module trees made from one source.
struct ModuleComparison : AssignmentComparison {
    TagAssignment before; ///< the module of each call, by path; `parts` and `moved` index its order
    TagAssignment after;
    std::vector<ModuleChange> modules; ///< in the order of the second tree, then removed modules
    std::size_t modulesBefore = 0; ///< modules with a graph
    std::size_t modulesAfter = 0;
    std::size_t nodesBefore = 0; ///< of all graphs
    std::size_t nodesAfter = 0;
};

/// A program made from a source, with its mapping to source nodes.
struct MadeProgram {
    const Program& program;
    const IdentityMap& map;
};

/// Compares the modules of two results of one source by path. O(nodes + modules + pairs).
ModuleComparison compareModules(const Program& source, const MadeProgram& before, const MadeProgram& after);

} // namespace sunder
