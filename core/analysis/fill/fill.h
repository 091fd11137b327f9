#pragma once

#include "analysis/fill/fill_scope.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A module that contains all nodes of a pick, or a list of such modules, which has a path but no class.
struct EnclosingModule {
    std::string path;
    InternedString cls = {};
};

/// Returns the modules that enclose all of these nodes of the root graph, innermost first, without the model itself. If `from` is
/// one of them, the result starts with it: picking a collapsed module means that module, not one inside it. Empty if the nodes
/// run in no module or in no common module. O(nodes × depth of their stacks).
std::vector<EnclosingModule> modulesAround(const Program& program, std::span<const NodeId> nodes, std::string_view from = {});

/// Repeated regions in a form for fills: groups of nodes that repeat together. Created by occurrencesOf().
struct OccurrenceTable {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Group {
        std::size_t regions = 0; ///< number of equivalent regions
        std::vector<NodeId> nodes; ///< of all regions
    };
    std::vector<Group> groups;
    std::vector<std::uint32_t> groupOf; ///< per NodeId: index into groups, or kNone
};

/// The picked nodes and the scope of a fill. Everything that it refers to must outlive the call.
struct FillRequest {
    FillScope scope = FillScope::module;
    std::span<const NodeId> pick; ///< nodes of the root graph: an op, or all nodes of a module
    std::string_view module = {}; ///< path of a module picked as a whole; empty: one or several ops
    std::span<const NodeId> other = {}; ///< FillScope::between: the first pick
    std::string_view otherModule = {}; ///< likewise for `other`
    std::size_t width = 0; ///< module, moduleClass, alike: number of steps to widen; clamped to the widest
    const OccurrenceTable* occurrences = nullptr; ///< required by FillScope::occurrences
};

/// The result of a fill.
struct Fill {
    std::vector<NodeId> nodes; ///< call nodes, ascending
    std::string what; ///< description after "Fill": "layers.3", "all Linear modules", "everything that add needs"
    std::size_t width = 0; ///< the effective width
    std::size_t widths = 1; ///< number of available widths
};

/// Returns the call nodes that a scope selects from a pick.
///
/// - `module`: ops in the innermost module enclosing the pick (modulesAround()), or `width` levels further out.
/// - `moduleClass`: ops in all modules of the class of the `width`-th enclosing module with a known class. If the pick is in
///   several modules, of a class that encloses all of it.
/// - `sameOperator`: ops with an equal target; calls of modules are compared by class.
/// - `sameShape`: ops whose value has the same tensor shapes as one of the pick. Symbolic dimensions are compared by expression;
///   values without tensors never match.
/// - `needed`, `needing`: ops before or after the pick along data edges.
/// - `between`: both picks and all ops on paths from the earlier to the later one.
/// - `occurrences`: all regions of the groups that contain a node of the pick.
/// - `connected`: ops connected to the pick by data edges through ops with the same tags.
/// - `alike`: ops connected to the pick by data edges through similar ops. At width 0 these call the same operator; at width n
///   they run in a module of the class of the n-th enclosing module with a known class. For a Linear in one of several Blocks in
///   a row, width 1 selects that Linear, and width 2 selects the row of Blocks.
///
/// Refuses, with a reason in a sentence: a pick without calls, outside any module or any module with a known class, without a
/// shape, or outside repeated regions; and two picks without a path between them. O(nodes + uses + depth of stacks).
Result<Fill> fillOf(const Snapshot& snapshot, const TagAssignment& tags, const FillRequest& request);

} // namespace sunder
