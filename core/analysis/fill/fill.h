#pragma once

#include "analysis/fill/fill_scope.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Repeated regions as a fill looks them up: which nodes repeat together. occurrencesOf() makes it.
struct OccurrenceTable {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Group {
        std::size_t regions = 0;   ///< that repeat each other
        std::vector<NodeId> nodes; ///< of all of them
    };
    std::vector<Group> groups;
    std::vector<std::uint32_t> groupOf; ///< per NodeId: index into groups, or kNone
};

/// What a person points at, and what is to be taken from there. All of it must outlive the question.
struct FillRequest {
    FillScope scope = FillScope::module;
    std::span<const NodeId> pick;                 ///< nodes of the root graph: an op, or all of a module
    std::string_view module = {}; ///< path of the module that was pointed at as a whole; empty: an op or several
    std::span<const NodeId> other = {}; ///< FillScope::between: the first pick
    std::string_view otherModule = {}; ///< the same for `other`
    std::size_t width = 0; ///< module, moduleClass, alike: how many steps wider; more than there are: the widest
    const OccurrenceTable* occurrences = nullptr; ///< FillScope::occurrences needs it
};

/// What a fill would take.
struct Fill {
    std::vector<NodeId> nodes; ///< call nodes, ascending
    std::string what; ///< in words, behind "Fill": "layers.3", "all Linear modules", "everything that add needs"
    std::size_t width = 0; ///< the step that was taken
    std::size_t widths = 1; ///< how many there are
};

/// The call nodes that a scope takes from a pick.
///
/// `module`: what runs in the module around the pick (modulesAround()), `width` steps further out. `moduleClass`: the same for
/// all modules of the class of the `width`-th module around that has a class; of a pick in several modules, of a class that all have. `sameOperator`: equal target; calls of modules
/// by the module's class. `sameShape`: all tensors of the value have the shapes of a pick's, symbols by their expressions;
/// what gives no tensor has none. `needed`, `needing`: along data edges. `between`: what is needed by the later and needs the
/// earlier of two picks, and both. `occurrences`: all regions of the groups in which a node of the pick lies. `connected`: over data
/// edges between calls as long as tags are equal to a pick's. `alike`: over data edges between calls as long as they are like
/// the pick: at width 0 they call the same operator, at width n they run in a module of the class of the n-th module around
/// the pick that has a class; so one step from a Linear in a Block of a row of Blocks takes that Linear, and two take the row.
///
/// Refused, with a sentence: a pick without a call, one that runs in no module or in none with a class, one without a shape, two
/// picks without a way between them, a pick in no repeated region. O(nodes + uses + depth of stacks).
Result<Fill> fillOf(const Snapshot& snapshot, const TagAssignment& tags, const FillRequest& request);

} // namespace sunder
