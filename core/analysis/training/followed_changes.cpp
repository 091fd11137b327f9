#include "analysis/training/followed_changes.h"

#include "analysis/training/backward_tags.h"

#include <algorithm>

namespace sunder {

WantedTags meantForward(const TrainingGraph& training, std::span<const InternedString> order, WantedTags wanted)
{
    const std::vector<std::int32_t> forward = forwardTags(order);
    for (auto& [node, tag] : wanted) {
        if (training.isBackwardCall(node))
            node = training.forwardOf[node.index()];
        if (tag >= 0 && forward[static_cast<std::size_t>(tag)] >= 0)
            tag = forward[static_cast<std::size_t>(tag)];
    }
    using Wanted = WantedTags::value_type;
    std::ranges::stable_sort(wanted, {}, &Wanted::first);
    wanted.erase(std::ranges::unique(wanted, {}, &Wanted::first).begin(), wanted.end());
    return wanted;
}

WantedTags withFollowing(const Snapshot& snapshot, const TagAssignment& tags, WantedTags changes)
{
    if (changes.empty())
        return changes;
    TagAssignment changed = tags;
    for (const auto& [node, tag] : changes)
        changed.tagOf[node.index()] = tag;
    changed = withBackwardFollowing(snapshot.graph(), snapshot.training, changed, EmptyBackwardTags::keep);
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.training.isBackwardCall(id) && changed[id] != tags[id])
            changes.emplace_back(id, changed[id]);
    return changes;
}

FillEffect followedEffect(const Snapshot& snapshot, const TagAssignment& tags, const WantedTags& changes, std::int32_t tag)
{
    std::vector<NodeId> painted;
    for (const auto& [node, to] : changes)
        if (!snapshot.training.isBackwardCall(node))
            painted.push_back(node);
    FillEffect effect = fillEffect(snapshot, tags, painted, tag);
    effect.ops = changes.size();
    for (const auto& [node, to] : changes)
        if (snapshot.training.isBackwardCall(node) && (tags[node] < 0) != (to < 0))
            to < 0 ? ++effect.untaggedAfter : --effect.untaggedAfter;
    return effect;
}

} // namespace sunder
