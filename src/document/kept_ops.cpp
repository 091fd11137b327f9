// The part of tag_edits.h that enforces locks and protection.
#include "document/selection.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <algorithm>
#include <iterator>

namespace sunder {
namespace {

bool isLocked(const TagState& state, std::int32_t tag)
{
    return tag >= 0 && static_cast<std::size_t>(tag) < state.traits.size()
        && state.traits[static_cast<std::size_t>(tag)].isLocked;
}

/// Records that the op keeps its tag because of this locked tag.
void keepLocked(KeptOps& kept, NodeId id, std::int32_t lock)
{
    kept.lock = kept.locked.empty() || kept.lock == lock ? lock : -1;
    kept.locked.push_back(id);
}

/// Returns whether the op may take the tag; otherwise records the reason. `now` is its current tag.
bool mayTake(const TagState& state, NodeId id, std::int32_t now, std::int32_t wanted, KeptOps& kept)
{
    if (isLocked(state, now) || isLocked(state, wanted)) {
        keepLocked(kept, id, isLocked(state, now) ? now : wanted);
        return false;
    }
    if (state.protectsTagged && now >= 0 && wanted >= 0) {
        kept.painted.push_back(id);
        return false;
    }
    return true;
}

std::vector<NodeId> both(const std::vector<NodeId>& first, const std::vector<NodeId>& second)
{
    std::vector<NodeId> all;
    std::ranges::set_union(first, second, std::back_inserter(all));
    return all;
}

QString reasonOf(const TagState& state, const KeptOps& kept)
{
    QStringList reasons;
    if (!kept.locked.empty())
        reasons << (kept.lock >= 0
                        ? QObject::tr("%1 is locked").arg(brief(text(state.tags.order[static_cast<std::size_t>(kept.lock)])))
                        : QObject::tr("several tags are locked"));
    if (!kept.painted.empty())
        reasons << QObject::tr("painted ops are protected");
    return reasons.join(QObject::tr(", and "));
}

std::size_t countOf(const KeptOps& kept)
{
    return kept.locked.size() + kept.painted.size();
}

} // namespace

Retagging retagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted)
{
    const auto byNode = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::ranges::is_sorted(wanted, byNode)) // changes of a whole graph are usually sorted
        std::ranges::stable_sort(wanted, byNode);
    Retagging result;
    NodeId before;
    for (const auto& [id, tag] : wanted) {
        if (!id || id == before)
            continue;
        before = id;
        if (snapshot.isCall(id) && state.tags[id] != tag && mayTake(state, id, state.tags[id], tag, result.kept))
            result.changes.emplace_back(id, tag);
    }
    return result;
}

TagChanges wantedOf(std::span<const NodeId> nodes, int tag)
{
    TagChanges wanted;
    wanted.reserve(nodes.size());
    for (const NodeId id : nodes)
        wanted.emplace_back(id, tag);
    return wanted;
}

KeptOps keptFrom(const TagState& state, const Snapshot& snapshot, const TagAssignment& other)
{
    std::vector<std::int32_t> present; // current index per tag of the other list; kNew if there is none
    constexpr std::int32_t kNew = 0x7fffffff;
    for (const InternedString name : other.order) {
        const int tag = tagCalled(state.tags, name.view());
        present.push_back(tag < 0 ? kNew : tag);
    }
    KeptOps kept;
    if (!state.protectsTagged && std::ranges::none_of(state.traits, &TagTraits::isLocked))
        return kept;
    for (const NodeId id : snapshot.graph().nodes()) {
        const std::int32_t then = other[id];
        const std::int32_t wanted = then < 0 ? TagAssignment::kUntagged : present[static_cast<std::size_t>(then)];
        if (snapshot.isCall(id) && state.tags[id] != wanted)
            mayTake(state, id, state.tags[id], wanted, kept);
    }
    std::ranges::sort(kept.locked);
    std::ranges::sort(kept.painted);
    return kept;
}

KeptOps together(const KeptOps& first, const KeptOps& second)
{
    const bool isOneLock = first.locked.empty() || second.locked.empty() || first.lock == second.lock;
    return {.locked = both(first.locked, second.locked),
            .painted = both(first.painted, second.painted),
            .lock = !isOneLock         ? -1
                : first.locked.empty() ? second.lock
                                       : first.lock};
}

QString keptText(const TagState& state, const KeptOps& kept)
{
    if (kept.empty())
        return {};
    const std::size_t count = countOf(kept);
    return (count == 1 ? QObject::tr("%1 keeps its tag: %2.") : QObject::tr("%1 keep their tags: %2."))
        .arg(countText(count, "op"), reasonOf(state, kept));
}

QString refusalText(const TagState& state, const KeptOps& kept)
{
    return kept.empty() ? QString()
                        : QObject::tr("Nothing was changed: %1 would get another tag, but %2.")
                              .arg(countText(countOf(kept), "op"), reasonOf(state, kept));
}

} // namespace sunder
