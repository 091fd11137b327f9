#include "document/tag_sources.h"

#include "document/document.h"
#include "document/followed_tags.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

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

/// Appends the tags that are in `order` but not in the state, each with an unused color.
TagState withTags(TagState state, const std::vector<InternedString>& order)
{
    for (std::size_t tag = state.tags.order.size(); tag < order.size(); ++tag) {
        const int active = state.active;
        state = withTag(std::move(state), order[tag], freeColor(state));
        state.active = active < 0 ? 0 : active;
    }
    return state;
}

/// Result of painting by rules, and the tags that it was computed for.
struct RulesPainted {
    TagAssignment before;
    TagAssignment tags;
    std::size_t below = 0; ///< ops that match a rule but keep their manual tag
};

} // namespace

QString TagSources::setTags(TagAssignment tags, const QString& undoText, std::vector<TagTraits> traits)
{
    if (!document().isOpen())
        return {};
    TagState state = withActiveOf(seenAs(stateOf(std::move(tags), std::move(traits), *snapshot()), m_store.state()),
                                  m_store.state());
    state.backwardFollows = canKeepFollowing(m_store.state(), state.tags, *snapshot());
    if (const QString why = refusalText(m_store.state(), keptFrom(m_store.state(), *snapshot(), state.tags)); !why.isEmpty()) {
        say(why);
        return why;
    }
    // A tag keeps its lock and code by its name, unless the new tags define them.
    for (std::size_t tag = 0; tag < state.traits.size(); ++tag)
        if (const int before = tagCalled(m_store.state().tags, state.tags.order[tag].view()); before >= 0) {
            const TagTraits& then = m_store.state().traits[static_cast<std::size_t>(before)];
            state.traits[tag].isLocked = state.traits[tag].isLocked || then.isLocked;
            if (state.traits[tag].code.isEmpty() && whyNotCoded(state, static_cast<int>(tag), then.code).isEmpty())
                state.traits[tag].code = then.code;
        }
    m_store.pushState(std::move(state), undoText);
    return {};
}

std::vector<TagTraits> TagSources::traitsOnceTaken(const TagAssignment& tags) const
{
    return traitsOf(m_store.state(), oldPlaces(m_store.state(), tags));
}

QString TagSources::takeTags(TagAssignment tags, const QString& undoText)
{
    if (!document().isOpen())
        return {};
    const std::vector<int> oldOf = oldPlaces(m_store.state(), tags);
    if (const int locked = lockedTagThatChanges(m_store.state(), tags, oldOf, *snapshot()); locked >= 0)
        return QObject::tr("%1 is locked, and its ops would change. Unlock it first.").arg(document().tagName(locked));
    TagState state = withActiveOf(stateOf(std::move(tags), traitsOf(m_store.state(), oldOf), *snapshot()), m_store.state());
    state.protectsTagged = m_store.state().protectsTagged;
    state.backwardFollows = canKeepFollowing(m_store.state(), state.tags, *snapshot());
    m_store.pushState(std::move(state), undoText);
    return {};
}

void TagSources::tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed)
{
    if (!document().isOpen())
        return;
    compute<TagAssignment>(
        QObject::tr("Tag in %1 equal stages").arg(count),
        [snapshot = snapshot(), count, measure, backward = document().backwardTags()](ProgressMonitor& monitor) {
            return consecutiveStages(snapshot->program, static_cast<std::uint32_t>(count), measure, backward, monitor);
        },
        [this, count, failed = std::move(failed)](Result<TagAssignment> stages) {
            if (stages)
                setTags(std::move(*stages), QObject::tr("Tag in %1 equal stages").arg(count));
            else if (failed)
                failed(stages.error());
        });
}

QString TagSources::takeTransfer(const TagTransferPtr& transfer, const QString& undoText)
{
    if (!document().isOpen() || !transfer)
        return {};
    TagState state = withActiveOf(seenAs(stateOf(tagsOf(*transfer, *snapshot()), transfer->traits, *snapshot()), m_store.state()),
                                  m_store.state());
    state.backwardFollows = canKeepFollowing(m_store.state(), state.tags, *snapshot());
    if (const QString why = refusalText(m_store.state(), keptFrom(m_store.state(), *snapshot(), state.tags)); !why.isEmpty()) {
        say(why);
        return why;
    }
    TagBasis basis = m_store.basis();
    basis.transfer = transfer;
    basis.accepted.assign(transfer->alignment.calls.size(), false);
    m_store.pushBasis(std::move(state), std::move(basis), undoText);
    return {};
}

void TagSources::acceptMatches(std::span<const std::size_t> calls, std::optional<int> tag)
{
    const TagTransferPtr transfer = m_store.basis().transfer;
    if (!document().isOpen() || !transfer || (tag && *tag >= document().tagCount()))
        return;
    std::vector<std::int32_t> placeOf; // tags may have been moved, renamed, or removed since
    for (const InternedString name : transfer->order)
        placeOf.push_back(tagCalled(m_store.state().tags, name.view()));
    TagBasis basis = m_store.basis();
    TagChanges wanted;
    for (const std::size_t call : calls) {
        if (call >= transfer->alignment.calls.size())
            continue;
        basis.accepted[call] = true;
        const NodeId node = transfer->nodes[transfer->alignment.calls[call].node];
        const std::int32_t suggested = transfer->carried.calls[call].suggestion;
        if (tag)
            wanted.emplace_back(node, *tag);
        else if (m_store.state().tags[node] < 0 && suggested >= 0 && placeOf[static_cast<std::size_t>(suggested)] >= 0)
            wanted.emplace_back(node, placeOf[static_cast<std::size_t>(suggested)]);
    }
    const Retagging changes = retagging(m_store.state(), *snapshot(),
                                        meantForward(m_store.state(), *snapshot(), std::move(wanted)));
    TagState state = m_store.state();
    for (const auto& [node, to] : changes.changes)
        state.tags.tagOf[node.index()] = to;
    m_store.reportSkipped(changes.kept, 0);
    m_store.pushBasis(std::move(state), std::move(basis), QObject::tr("Accept %1").arg(countText(calls.size(), "match")));
}

void TagSources::applyRules(const TagRules& rules)
{
    if (!document().isOpen())
        return;
    compute<RulesPainted>(
        QObject::tr("Tag by rules"),
        [snapshot = snapshot(), before = m_store.basis().rules, rules, tags = m_store.state().tags,
         backward = document().backwardTags()](ProgressMonitor&) -> Result<RulesPainted> {
            const Result<PaintedRules> ground = paintRules(*snapshot, before, tags.order, backward);
            SUNDER_TRY(const PaintedRules painted, paintRules(*snapshot, rules, tags.order, backward));
            RulesPainted result{
                tags,
                withGround(tags, ground ? std::span<const std::int32_t>(ground->tags.tagOf) : std::span<const std::int32_t>(),
                           painted)};
            for (const NodeId id : snapshot->graph().nodes())
                result.below += painted.tags[id] >= 0 && result.tags[id] != painted.tags[id] ? 1 : 0;
            return result;
        },
        [this, rules](Result<RulesPainted> painted) {
            if (!painted)
                say(sentence(painted.error().message));
            else if (painted->before.order != m_store.state().tags.order || painted->before.tagOf != m_store.state().tags.tagOf)
                applyRules(rules); // a stroke changed the tags meanwhile
            else
                takeRules(rules, painted->tags, painted->below);
        });
}

void TagSources::takeRules(const TagRules& rules, const TagAssignment& painted, std::size_t below)
{
    TagState state = withTags(m_store.state(), painted.order);
    TagChanges wanted;
    for (const NodeId id : snapshot()->graph().nodes())
        if (painted[id] != state.tags[id])
            wanted.emplace_back(id, painted[id]);
    const Retagging changes = retagging(state, *snapshot(), std::move(wanted));
    for (const auto& [node, to] : changes.changes)
        state.tags.tagOf[node.index()] = to;
    m_store.reportSkipped(changes.kept, 0);
    TagBasis basis = m_store.basis();
    basis.rules = rules;
    m_store.pushBasis(std::move(state), std::move(basis),
                      QObject::tr("Tag by rules: %1").arg(countText(changes.changes.size(), "op")));
    if (!changes.kept.empty())
        return;
    const QString what = QObject::tr("Applied %1: %2 changed.")
                             .arg(countText(rules.rules.size(), "rule"), countText(changes.changes.size(), "op"));
    say(below == 0 ? what : QObject::tr("%1 Painted by hand and kept: %2.").arg(what, countText(below, "op")));
}

} // namespace sunder
