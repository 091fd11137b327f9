// Document verbs that change tags. Each is one undo step.
#include "document/document_compute.h"
#include "document/followed_tags.h"
#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "tagging/problem.h"
#include "tagging/tag_list.h"
#include "tagging/tag_repairs.h"
#include "text/amounts.h"

#include <utility>

namespace sunder {

int Document::paint(std::span<const NodeId> nodes, int tag)
{
    if (!isOpen() || tag < TagAssignment::kUntagged || tag >= tagCount())
        return 0;
    return pushChanges(wantedOf(nodes, tag), m_isStroking ? m_stroke : 0,
                       tag < 0 ? tr("Erase") : tr("Paint %1").arg(tagName(tag)));
}

int Document::pushChanges(TagChanges wanted, int stroke, const QString& verb)
{
    Retagging retagging = followedRetagging(m_state, *m_snapshot, std::move(wanted));
    const int count = static_cast<int>(retagging.changes.size());
    if (count > 0)
        m_undoStack.push(new RetagCommand(*this, std::move(retagging.changes), stroke, verb));
    reportSkipped(retagging.kept, stroke);
    return count;
}

/// Reports all ops kept so far in the current stroke, each counted once.
void Document::reportSkipped(const KeptOps& kept, int stroke)
{
    if (kept.empty())
        return;
    const bool shouldContinue = stroke > 0 && stroke == m_keptStroke;
    const QString before = shouldContinue ? keptText(m_state, m_kept) : QString();
    m_kept = shouldContinue ? together(m_kept, kept) : kept;
    m_keptStroke = stroke;
    if (const QString now = keptText(m_state, m_kept); now != before)
        emit said(now);
}

int Document::erase(std::span<const NodeId> nodes)
{
    return paint(nodes, TagAssignment::kUntagged);
}

void Document::beginStroke()
{
    ++m_stroke;
    m_isStroking = true;
}

void Document::cancelStroke()
{
    if (!std::exchange(m_isStroking, false) || m_undoStack.index() == 0)
        return;
    const auto* step = dynamic_cast<const RetagCommand*>(m_undoStack.command(m_undoStack.index() - 1));
    if (step == nullptr || step->stroke() != m_stroke)
        return; // the stroke changed nothing
    m_isCancelling = true;
    m_undoStack.undo();
    m_isCancelling = false;
}

void Document::fillInUntagged(FillIn which)
{
    if (!isOpen() || (which == FillIn::latest && tagCount() == 0))
        return;
    using Found = RetagCommand::Changes;
    compute<Found>(
        tr("Fill untagged ops"),
        [snapshot = m_snapshot, tags = m_state.tags, which](ProgressMonitor&) -> Result<Found> {
            return which == FillIn::latest ? latestTags(snapshot->graph(), tags)
                                           : earliestTags(legalityTables(snapshot->program), tags);
        },
        [this](Result<Found> found) {
            if (!found)
                return;
            // Keep ops that a stroke tagged meanwhile.
            std::erase_if(*found, [this](const auto& change) { return m_state.tags[change.first] >= 0; });
            pushChanges(std::move(*found), 0, tr("Fill untagged ops"));
        });
}

void Document::tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed)
{
    if (!isOpen())
        return;
    compute<TagAssignment>(
        tr("Tag in %1 equal stages").arg(count),
        [snapshot = m_snapshot, count, measure, backward = backwardTags()](ProgressMonitor& monitor) {
            return consecutiveStages(snapshot->program, static_cast<std::uint32_t>(count), measure, backward, monitor);
        },
        [this, count, failed = std::move(failed)](Result<TagAssignment> stages) {
            if (stages)
                setTags(std::move(*stages), tr("Tag in %1 equal stages").arg(count));
            else if (failed)
                failed(stages.error());
        });
}

QString Document::setTags(TagAssignment tags, const QString& undoText, std::vector<TagTraits> traits)
{
    if (!isOpen())
        return {};
    TagState state = withActiveOf(seenAs(stateOf(std::move(tags), std::move(traits), *m_snapshot), m_state), m_state);
    state.backwardFollows = goesOnFollowing(m_state, state.tags, *m_snapshot);
    if (const QString why = refusalText(m_state, keptFrom(m_state, *m_snapshot, state.tags)); !why.isEmpty()) {
        emit said(why);
        return why;
    }
    // A tag keeps its lock and code by its name, unless the new tags define them.
    for (std::size_t tag = 0; tag < state.traits.size(); ++tag)
        if (const int before = tagCalled(m_state.tags, state.tags.order[tag].view()); before >= 0) {
            const TagTraits& then = m_state.traits[static_cast<std::size_t>(before)];
            state.traits[tag].isLocked = state.traits[tag].isLocked || then.isLocked;
            if (state.traits[tag].code.isEmpty() && whyNotCoded(state, static_cast<int>(tag), then.code).isEmpty())
                state.traits[tag].code = then.code;
        }
    pushState(std::move(state), undoText);
    return {};
}

void Document::apply(const Repair& repair)
{
    const QString step = tr("Fix: %1").arg(text(repair.label));
    switch (repair.kind) {
    case Repair::Kind::retag:
        if (repair.emptied.empty())
            applyChanges(wantedOf(repair.nodes, repair.tag), step);
        else
            applyTags(repair);
        break;
    case Repair::Kind::fillIn: applyChanges(repair.changes, step); break;
    case Repair::Kind::follow: setBackwardFollows(true); break;
    case Repair::Kind::mergeTags: applyTags(repair); break;
    case Repair::Kind::reorder: reorderTags(repair.order, step); break;
    case Repair::Kind::removeTag: removeTag(repair.tag); break;
    case Repair::Kind::stages: tagInStages(repair.tag, StageMeasure::bytes); break;
    case Repair::Kind::show:
        select(repair.nodes);
        emit revealRequested();
        break;
    }
}

/// Applies all changes or none: a partial fix does not fix the problem.
void Document::applyChanges(TagChanges changes, const QString& verb)
{
    if (const QString why = refusalText(m_state, retagging(m_state, *m_snapshot, changes).kept); !why.isEmpty())
        emit said(why);
    else
        pushChanges(std::move(changes), 0, verb);
}

/// Applies a fix that reduces the number of tags.
void Document::applyTags(const Repair& repair)
{
    if (Result<TagAssignment> tags = repaired(*m_snapshot, m_state.tags, repair))
        takeTags(std::move(*tags), tr("Fix: %1").arg(text(repair.label)));
}

void Document::setActiveTag(int tag)
{
    if (tag >= tagCount() && isOpen())
        emit said(tr("There is no tag %1: the model has %2. Add one with Paint › Add a tag.")
                      .arg(tag + 1)
                      .arg(countText(static_cast<std::size_t>(tagCount()), "tag")),
                  Change::activeTag | Change::tagList);
    if (tag == m_state.active || tag < 0 || tag >= tagCount())
        return;
    m_state.active = tag;
    m_tagWatch.lookAtProblems(); // labels of fixes contain the active tag
    emit changed(Change::activeTag | Change::check);
}

void Document::pushState(TagState state, const QString& undoText)
{
    TagState next = followed(std::move(state), *m_snapshot);
    const bool isSame = next.tags.order == m_state.tags.order && next.tags.tagOf == m_state.tags.tagOf
        && next.traits == m_state.traits && next.backwardFollows == m_state.backwardFollows;
    if (isSame && followsForward(m_state, *m_snapshot))
        emit said(tr("Nothing was changed: backward ops keep the stage of their forward op."));
    else
        m_undoStack.push(new TagStateCommand(*this, std::move(next), undoText));
}

void Document::swapTags(std::vector<std::pair<NodeId, std::int32_t>>& changes)
{
    for (auto& [id, tag] : changes)
        std::swap(m_state.tags.tagOf[id.index()], tag);
    tagsChanged();
}

void Document::swapState(TagState& state)
{
    std::swap(m_state, state);
    m_state = seenAs(std::move(m_state), state);
    tagsChanged(Change::tagList | Change::activeTag);
}

void Document::setBackwardFollows(bool follows)
{
    if (!isOpen() || m_state.backwardFollows == follows || !m_snapshot->training.isTraining())
        return;
    TagState state = m_state;
    state.backwardFollows = follows;
    pushState(std::move(state), follows ? tr("Keep backward ops with their forward op") : tr("Tag backward ops independently"));
}

BackwardTags Document::backwardTags() const
{
    return m_state.backwardFollows ? BackwardTags::follow : BackwardTags::apart;
}

void Document::tagsChanged(Changes more)
{
    const bool wasCurrent = m_splitCurrent;
    if (!m_jump && more.testFlag(Change::tagList) && m_tagWatch.isLarge(m_snapshot))
        m_tagWatch.forgetTotals(m_state.tags.order.size()); // the totals are for another tag list
    look();
    if (wasCurrent != m_splitCurrent)
        more |= Change::outcome;
    announce(more | Change::tags | Change::check);
}

} // namespace sunder
