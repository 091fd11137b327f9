#pragma once

#include "analysis/alignment/graph_identity.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The confidence in a match between a new op and an old one, highest first.
enum class MatchKind : std::uint8_t {
    identity,  ///< same module, call, operator, position, and inputs
    structure, ///< another call or position, but the only equivalent op there
    moved,     ///< same position or structure, but different inputs
    inPlace,   ///< new, at the position of lost ops: a replacement or decomposition
    undecided, ///< several candidates, or possibly none, that cannot be distinguished
    added,     ///< no candidate
};

/// Returns a name for reports and JSON: "identity", "in_place".
std::string_view name(MatchKind kind);
/// Number of kinds.
inline constexpr std::size_t kMatchKinds = 6;

/// The match of an op of a new export. Nodes are indices into GraphIdentity::nodes.
struct AlignedCall {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    std::uint32_t node = 0;
    MatchKind kind = MatchKind::added;
    std::uint32_t old = kNone;              ///< the old op; undecided: the candidate that preserves most names and the order
    std::vector<std::uint32_t> others = {}; ///< undecided: other candidates; inPlace: the lost ops that it replaces. Ascending
    bool mayBeNew = false;                  ///< undecided: it may be a new op; inPlace: its module may be new
    bool hasMore = false;                   ///< there are further candidates that are not listed
};

/// The ops of a new export matched to those of an old one.
struct GraphAlignment {
    std::vector<AlignedCall> calls;  ///< of the new graph, in its order
    std::vector<std::uint32_t> lost; ///< old ops without a match
};

/// Matches each op of `now` to an op of `old`: first by exact module path, then modules by content, then ops by their inputs. A
/// name alone is no evidence: if some of several similar ops or layers are new or lost, all of them are undecided. O(nodes +
/// edges + item pairs within each module call); the last term is bounded, see alignSequences(). Returns ErrorCode::cancelled when
/// the monitor is canceled.
Result<GraphAlignment> alignGraphs(const GraphIdentity& old, const GraphIdentity& now, ProgressMonitor& monitor);

} // namespace sunder
