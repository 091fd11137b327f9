#include "analysis/alignment/align_graphs.h"

#include "analysis/alignment/neighbor_checks.h"
#include "analysis/alignment/replaced_ops.h"
#include "analysis/alignment/tree_alignment.h"
#include "analysis/alignment/unmatched_ops.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

Matches emptyMatches(const GraphIdentity& old, const GraphIdentity& now)
{
    return {.ofNow = std::vector<NodeMatch>(now.nodes.size()),
            .ofOld = std::vector<std::uint32_t>(old.nodes.size(), NodeMatch::kNone)};
}

/// Returns whether both ops have the same module path, module call, operator and position.
bool hasSamePlace(const CallTree& old, const CallTree& now, std::uint32_t before, std::uint32_t node)
{
    const NodeIdentity& a = old.identity->nodes[before];
    const NodeIdentity& b = now.identity->nodes[node];
    const ModuleCallIdentity& in = old.identity->modules[a.module];
    const ModuleCallIdentity& is = now.identity->modules[b.module];
    return in.path == is.path && in.call == is.call && a.op == b.op && a.target == b.target
        && old.places[before] == now.places[node];
}

AlignedCall alignedCall(const CallTree& old, const CallTree& now, const Matches& matches, std::uint32_t node, bool isRewired)
{
    const NodeMatch& match = matches.ofNow[node];
    AlignedCall call{
        .node = node, .old = match.old, .others = match.others, .mayBeNew = match.mayBeNew, .hasMore = match.hasMore};
    std::erase(call.others, match.old);
    std::ranges::sort(call.others);
    if (!match.isFound())
        call.kind = call.others.empty() && !match.hasMore ? MatchKind::added : MatchKind::undecided;
    else if (!call.others.empty() || match.mayBeNew || match.hasMore || match.isWeak)
        call.kind = MatchKind::undecided;
    else if (isRewired)
        call.kind = MatchKind::moved;
    else
        call.kind = hasSamePlace(old, now, match.old, node) ? MatchKind::identity : MatchKind::structure;
    if (call.kind == MatchKind::undecided && (match.isWeak || !match.isFound()))
        call.mayBeNew = true;
    return call;
}

} // namespace

std::string_view name(MatchKind kind)
{
    constexpr std::array<std::string_view, kMatchKinds> kNames = {"identity", "structure", "moved",
                                                                  "in_place", "undecided", "added"};
    return kNames[static_cast<std::size_t>(kind)];
}

Result<GraphAlignment> alignGraphs(const GraphIdentity& old, const GraphIdentity& now, ProgressMonitor& monitor)
{
    const CallTree before(old);
    const CallTree after(now);
    Matches matches = emptyMatches(old, now);
    pairInputs(before, after, matches);
    TreeAlignment tree(before, after, matches);
    tree.align({.old = 0, .now = 0}, false);
    monitor.report(0.5, "matching ops by their inputs");
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Canceled.");
    alignLeftModules(before, after, tree, matches);
    alignLeftNodes(before, after, matches);
    doubtTwins(before, after, matches);
    const std::vector<bool> isRewired = rewired(before, after, matches);
    GraphAlignment alignment;
    for (std::uint32_t node = 0; node < now.nodes.size(); ++node)
        if (isCallOf(now, node))
            alignment.calls.push_back(alignedCall(before, after, matches, node, isRewired[node]));
    for (std::uint32_t node = 0; node < old.nodes.size(); ++node)
        if (isCallOf(old, node) && matches.ofOld[node] == NodeMatch::kNone)
            alignment.lost.push_back(node);
    findReplaced(before, after, matches, alignment);
    return alignment;
}

} // namespace sunder
