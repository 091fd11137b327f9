#include "document/followed_tags.h"

#include "analysis/tag_palette.h"
#include "analysis/training/backward_tags.h"
#include "analysis/training/followed_changes.h"
#include "tagging/tag_list.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the traits of the existing tag with this name; a new tag has default traits.
TagTraits traitsOf(const TagState& before, InternedString name)
{
    const int at = tagCalled(before.tags, name.view());
    return at < 0 ? TagTraits() : before.traits[static_cast<std::size_t>(at)];
}

/// Returns the forward tag's color with a pattern: a hue beyond the palette.
TagColor backwardColor(TagColor forward)
{
    forward.hue = static_cast<std::uint32_t>(forward.hue % kTagPalette.size() + kTagPalette.size());
    return forward;
}

bool hasSameList(const TagState& a, const TagState& b)
{
    return a.tags.order == b.tags.order && a.traits == b.traits;
}

} // namespace

bool followsForward(const TagState& state, const Snapshot& snapshot)
{
    return state.backwardFollows && snapshot.training.isTraining();
}

TagState followed(TagState state, const Snapshot& snapshot)
{
    if (!followsForward(state, snapshot))
        return state;
    const TagState before = state;
    state.tags = withBackwardFollowing(snapshot.graph(), snapshot.training, before.tags, EmptyBackwardTags::keep);
    state.traits.clear();
    for (const InternedString name : state.tags.order)
        state.traits.push_back(traitsOf(before, name));
    const std::vector<std::int32_t> forward = forwardTags(state.tags.order);
    for (std::size_t tag = 0; tag < forward.size(); ++tag)
        if (forward[tag] >= 0) {
            const TagTraits& of = state.traits[static_cast<std::size_t>(forward[tag])];
            state.traits[tag].color = backwardColor(of.color);
            state.traits[tag].isLocked = of.isLocked;
        }
    const InternedString active = before.active < 0 ? InternedString()
                                                    : before.tags.order[static_cast<std::size_t>(before.active)];
    state.active = std::max(tagCalled(state.tags, active.view()), state.tags.order.empty() ? -1 : 0);
    return hasSameList(before, state) && before.tags.tagOf == state.tags.tagOf ? before : state;
}

TagChanges meantForward(const TagState& state, const Snapshot& snapshot, TagChanges wanted)
{
    if (!followsForward(state, snapshot))
        return wanted;
    return sunder::meantForward(snapshot.training, state.tags.order, std::move(wanted));
}

TagChanges withFollowing(const TagState& state, const Snapshot& snapshot, TagChanges changes)
{
    return followsForward(state, snapshot) ? sunder::withFollowing(snapshot, state.tags, std::move(changes)) : changes;
}

Retagging followedRetagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted)
{
    Retagging found = retagging(state, snapshot, meantForward(state, snapshot, std::move(wanted)));
    found.changes = withFollowing(state, snapshot, std::move(found.changes));
    return found;
}

bool canKeepFollowing(const TagState& before, const TagAssignment& tags, const Snapshot& snapshot)
{
    return before.backwardFollows
        && (!snapshot.training.isTraining() || backwardFollows(snapshot.graph(), snapshot.training, tags));
}

} // namespace sunder
