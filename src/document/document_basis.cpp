// Document verbs for the basis of tags: transfers from another export, and rules.
#include "analysis/device.h"
#include "document/document_compute.h"
#include "document/followed_tags.h"
#include "document/session_commands.h"
#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <utility>

namespace sunder {
namespace {

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

QString Document::takeTransfer(const TagTransferPtr& transfer, const QString& undoText)
{
    if (!isOpen() || !transfer)
        return {};
    TagState state = withActiveOf(seenAs(stateOf(tagsOf(*transfer, *m_snapshot), transfer->traits, *m_snapshot), m_state),
                                  m_state);
    state.backwardFollows = goesOnFollowing(m_state, state.tags, *m_snapshot);
    if (const QString why = refusalText(m_state, keptFrom(m_state, *m_snapshot, state.tags)); !why.isEmpty()) {
        emit said(why);
        return why;
    }
    TagBasis basis = m_basis;
    basis.transfer = transfer;
    basis.accepted.assign(transfer->alignment.calls.size(), false);
    pushBasis(std::move(state), std::move(basis), undoText);
    return {};
}

void Document::takeRecovered(PreparedModel recovered)
{
    const bool areTagsSame = recovered.state.tags.order == m_state.tags.order && recovered.state.tags.tagOf == m_state.tags.tagOf
        && recovered.state.traits == m_state.traits && recovered.state.backwardFollows == m_state.backwardFollows
        && recovered.basis.rules == m_basis.rules;
    makeIdsUnique(recovered.devices);
    if (areTagsSame && recovered.devices == m_devices && recovered.notes == m_notes)
        return;
    const TagState seen = recovered.state;
    m_undoStack.beginMacro(tr("Recovered work"));
    if (!areTagsSame)
        pushBasis(std::move(recovered.state), std::move(recovered.basis), tr("Recovered work"));
    setDevices(std::move(recovered.devices), tr("Recovered work"));
    if (recovered.notes != m_notes)
        m_undoStack.push(new NotesCommand(*this, std::move(recovered.notes), tr("Recovered work")));
    m_undoStack.endMacro();
    m_state = seenAs(std::move(m_state), seen); // undo steps do not change visibility or the active tag
    emit changed(Change::tags | Change::activeTag);
}

void Document::acceptMatches(std::span<const std::size_t> calls, std::optional<int> tag)
{
    const TagTransferPtr transfer = m_basis.transfer;
    if (!isOpen() || !transfer || (tag && *tag >= tagCount()))
        return;
    std::vector<std::int32_t> placeOf; // tags may have been moved, renamed, or removed since
    for (const InternedString name : transfer->order)
        placeOf.push_back(tagCalled(m_state.tags, name.view()));
    TagBasis basis = m_basis;
    TagChanges wanted;
    for (const std::size_t call : calls) {
        if (call >= transfer->alignment.calls.size())
            continue;
        basis.accepted[call] = true;
        const NodeId node = transfer->nodes[transfer->alignment.calls[call].node];
        const std::int32_t suggested = transfer->carried.calls[call].suggestion;
        if (tag)
            wanted.emplace_back(node, *tag);
        else if (m_state.tags[node] < 0 && suggested >= 0 && placeOf[static_cast<std::size_t>(suggested)] >= 0)
            wanted.emplace_back(node, placeOf[static_cast<std::size_t>(suggested)]);
    }
    const Retagging changes = retagging(m_state, *m_snapshot, meantForward(m_state, *m_snapshot, std::move(wanted)));
    TagState state = m_state;
    for (const auto& [node, to] : changes.changes)
        state.tags.tagOf[node.index()] = to;
    reportSkipped(changes.kept, 0);
    pushBasis(std::move(state), std::move(basis), tr("Accept %1").arg(countText(calls.size(), "match")));
}

void Document::applyRules(const TagRules& rules)
{
    if (!isOpen())
        return;
    compute<RulesPainted>(
        tr("Tag by rules"),
        [snapshot = m_snapshot, before = m_basis.rules, rules, tags = m_state.tags,
         backward = backwardTags()](ProgressMonitor&) -> Result<RulesPainted> {
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
                emit said(sentence(painted.error().message));
            else if (painted->before.order != m_state.tags.order || painted->before.tagOf != m_state.tags.tagOf)
                applyRules(rules); // a stroke changed the tags meanwhile
            else
                takeRules(rules, painted->tags, painted->below);
        });
}

void Document::takeRules(const TagRules& rules, const TagAssignment& painted, std::size_t below)
{
    TagState state = withTags(m_state, painted.order);
    TagChanges wanted;
    for (const NodeId id : graph().nodes())
        if (painted[id] != state.tags[id])
            wanted.emplace_back(id, painted[id]);
    const Retagging changes = retagging(state, *m_snapshot, std::move(wanted));
    for (const auto& [node, to] : changes.changes)
        state.tags.tagOf[node.index()] = to;
    reportSkipped(changes.kept, 0);
    TagBasis basis = m_basis;
    basis.rules = rules;
    pushBasis(std::move(state), std::move(basis), tr("Tag by rules: %1").arg(countText(changes.changes.size(), "op")));
    if (!changes.kept.empty())
        return;
    const QString what =
        tr("Applied %1: %2 changed.").arg(countText(rules.rules.size(), "rule"), countText(changes.changes.size(), "op"));
    emit said(below == 0 ? what : tr("%1 Painted by hand and kept: %2.").arg(what, countText(below, "op")));
}

void Document::pushBasis(TagState state, TagBasis basis, const QString& text)
{
    m_undoStack.push(new TagBasisCommand(*this, followed(std::move(state), *m_snapshot), std::move(basis), text));
}

void Document::swapBasis(TagState& state, TagBasis& basis)
{
    std::swap(m_basis, basis);
    std::swap(m_state, state);
    m_state = seenAs(std::move(m_state), state);
    tagsChanged(Change::tagList | Change::activeTag | Change::basis);
}

} // namespace sunder
