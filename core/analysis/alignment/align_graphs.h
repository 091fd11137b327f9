#pragma once

#include "analysis/alignment/graph_identity.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// How sure it is which old op an op of a new export is, surest first.
enum class MatchKind : std::uint8_t {
    identity,  ///< the same module, call, operator and place, and it reads what it has read
    structure, ///< called otherwise, or at another place, but the only one that does the same there
    moved,     ///< the same by its place or structure, but it reads something else
    inPlace,   ///< another op where some of the old ones are gone: replaced, or decomposed
    undecided, ///< one of several, or perhaps none: what is known of them is the same
    added,     ///< like none
};

/// A word for reports and JSON: "identity", "in_place".
std::string_view name(MatchKind kind);
/// All kinds, surest first.
inline constexpr std::size_t kMatchKinds = 6;

/// What an op of a new export is. Nodes are indices into GraphIdentity::nodes.
struct AlignedCall {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    std::uint32_t node = 0;
    MatchKind kind = MatchKind::added;
    std::uint32_t old = kNone;              ///< the old op; undecided: the one that keeps most names and the order
    std::vector<std::uint32_t> others = {}; ///< undecided: that it may be as well; inPlace: those that are gone. Ascending
    bool mayBeNew = false;                  ///< undecided: it may be none of them; inPlace: its module may be new
    bool hasMore = false;                   ///< there are others that are not named
};

/// The ops of a new export by those of an old one.
struct GraphAlignment {
    std::vector<AlignedCall> calls;  ///< of the new graph, in its order
    std::vector<std::uint32_t> lost; ///< old ops that no new one is taken for
};

/// Finds each op of `now` in `old`: exact module paths first, then modules by what they run, then ops by what they read. A name
/// alone decides nothing: ops and layers of which some are new or gone and which are alike are undecided. Near linear: O(nodes +
/// edges + pairs of items of one module call), the last bounded, see alignSequences(). Cancelled when the monitor says so.
Result<GraphAlignment> alignGraphs(const GraphIdentity& old, const GraphIdentity& now, ProgressMonitor& monitor);

} // namespace sunder
