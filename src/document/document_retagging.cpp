// Document verbs that take computed tags, such as a moved boundary or an accepted proposal.
#include "document/document.h"
#include "document/followed_tags.h"
#include "document/tag_commands.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

bool isLockedTag(const TagState& state, std::int32_t tag)
{
    return tag >= 0 && state.traits[static_cast<std::size_t>(tag)].isLocked;
}

/// Returns, for each new tag, the index of the old tag with the same name; −1 if there is none.
std::vector<int> oldPlaces(const TagState& state, const TagAssignment& tags)
{
    std::unordered_map<InternedString, int> places;
    for (std::size_t tag = 0; tag < state.tags.order.size(); ++tag)
        places[state.tags.order[tag]] = static_cast<int>(tag);
    std::vector<int> old;
    for (const InternedString name : tags.order) {
        const auto at = places.find(name);
        old.push_back(at == places.end() ? -1 : at->second);
    }
    return old;
}

/// Existing tags keep their traits; new tags get unused hues.
std::vector<TagTraits> traitsOf(const TagState& state, const std::vector<int>& oldOf)
{
    std::vector<TagTraits> traits(oldOf.size());
    std::unordered_set<std::uint32_t> hues;
    for (std::size_t tag = 0; tag < oldOf.size(); ++tag)
        if (oldOf[tag] >= 0) {
            traits[tag] = state.traits[static_cast<std::size_t>(oldOf[tag])];
            hues.insert(traits[tag].color.hue);
        }
    std::uint32_t hue = 0;
    for (std::size_t tag = 0; tag < oldOf.size(); ++tag)
        if (oldOf[tag] < 0) {
            while (!hues.insert(hue).second)
                ++hue;
            traits[tag].color.hue = hue;
        }
    return traits;
}

/// Returns the first locked tag that gains or loses a call; −1 if there is none.
int lockedTagThatChanges(const TagState& state, const TagAssignment& after, const std::vector<int>& oldOf,
                         const Snapshot& snapshot)
{
    for (const NodeId id : snapshot.graph().nodes()) {
        const std::int32_t before = state.tags[id];
        const std::int32_t now = after[id] < 0 ? -1 : oldOf[static_cast<std::size_t>(after[id])];
        if (before == now || !snapshot.isCall(id))
            continue;
        if (isLockedTag(state, before))
            return before;
        if (isLockedTag(state, now))
            return now;
    }
    return -1;
}

} // namespace

void Document::retag(std::vector<std::pair<NodeId, std::int32_t>> changes, const QString& what)
{
    if (!isOpen())
        return;
    changes = meantForward(m_state, *m_snapshot, std::move(changes));
    std::erase_if(changes, [this](const auto& change) {
        const std::int32_t before = m_state.tags[change.first];
        return before == change.second || change.second >= tagCount() || isLockedTag(m_state, before)
            || isLockedTag(m_state, change.second);
    });
    if (!changes.empty())
        m_undoStack.push(new RetagCommand(*this, withFollowing(m_state, *m_snapshot, std::move(changes)), 0, what));
}

std::vector<TagTraits> Document::traitsOnceTaken(const TagAssignment& tags) const
{
    return traitsOf(m_state, oldPlaces(m_state, tags));
}

QString Document::takeTags(TagAssignment tags, const QString& undoText)
{
    if (!isOpen())
        return {};
    const std::vector<int> oldOf = oldPlaces(m_state, tags);
    if (const int locked = lockedTagThatChanges(m_state, tags, oldOf, *m_snapshot); locked >= 0)
        return tr("%1 is locked, and its ops would change. Unlock it first.").arg(tagName(locked));
    TagState state = withActiveOf(stateOf(std::move(tags), traitsOf(m_state, oldOf), *m_snapshot), m_state);
    state.protectsTagged = m_state.protectsTagged;
    state.backwardFollows = goesOnFollowing(m_state, state.tags, *m_snapshot);
    pushState(std::move(state), undoText);
    return {};
}

} // namespace sunder
