#include "document/tag_store.h"

#include "document/document.h"
#include "document/followed_tags.h"
#include "document/session_commands.h"
#include "document/tag_commands.h"

#include <algorithm>

namespace sunder {

void TagStore::pushState(TagState state, const QString& undoText)
{
    TagState next = followed(std::move(state), *snapshot());
    const bool isSame = next.tags.order == m_state.tags.order && next.tags.tagOf == m_state.tags.tagOf
        && next.traits == m_state.traits && next.backwardFollows == m_state.backwardFollows;
    if (isSame && followsForward(m_state, *snapshot()))
        say(QObject::tr("Nothing was changed: backward ops keep the stage of their forward op."));
    else
        push(new SwapCommand<QUndoCommand>(undoText, [this, next = std::move(next)]() mutable { swapState(next); }));
}

void TagStore::pushBasis(TagState state, TagBasis basis, const QString& undoText)
{
    push(new SwapCommand<QUndoCommand>(undoText,
                                       [this, state = followed(std::move(state), *snapshot()),
                                        basis = std::move(basis)]() mutable { swapBasis(state, basis); }));
}

int TagStore::pushChanges(TagChanges wanted, int stroke, const QString& verb)
{
    Retagging retagging = followedRetagging(m_state, *snapshot(), std::move(wanted));
    const int count = static_cast<int>(retagging.changes.size());
    if (count > 0)
        pushRetagging(std::move(retagging.changes), stroke, verb);
    reportSkipped(retagging.kept, stroke);
    return count;
}

void TagStore::pushRetagging(TagChanges changes, int stroke, const QString& verb)
{
    push(new RetagCommand(*this, std::move(changes), stroke, verb));
}

void TagStore::dropStroke(int stroke)
{
    const QUndoStack& steps = document().steps();
    const int last = steps.count() - 1;
    const auto* step = last < 0 ? nullptr : dynamic_cast<const RetagCommand*>(steps.command(last));
    if (step == nullptr || step->stroke() != stroke)
        return; // the stroke changed nothing
    const int wanted = std::min(steps.index(), last);
    document().goToStep(last + 1);
    m_isCancelling = true;
    document().undo();
    m_isCancelling = false;
    document().goToStep(wanted);
}

void TagStore::reset(TagState state, TagBasis basis)
{
    m_state = std::move(state);
    m_basis = std::move(basis);
    m_keptStroke = 0;
}

void TagStore::swapModel(TagState& state, TagBasis& basis)
{
    std::swap(m_state, state);
    std::swap(m_basis, basis);
    m_state = seenAs(std::move(m_state), state);
    m_keptStroke = 0;
}

void TagStore::reportSkipped(const KeptOps& kept, int stroke)
{
    if (kept.empty())
        return;
    const bool shouldContinue = stroke > 0 && stroke == m_keptStroke;
    const QString before = shouldContinue ? keptText(m_state, m_kept) : QString();
    m_kept = shouldContinue ? together(m_kept, kept) : kept;
    m_keptStroke = stroke;
    if (const QString now = keptText(m_state, m_kept); now != before)
        say(now);
}

void TagStore::swapTags(TagChanges& changes)
{
    for (auto& [id, tag] : changes)
        std::swap(m_state.tags.tagOf[id.index()], tag);
    tagsChanged();
}

void TagStore::swapState(TagState& state)
{
    std::swap(m_state, state);
    m_state = seenAs(std::move(m_state), state);
    tagsChanged(Change::tagList | Change::activeTag);
}

void TagStore::swapBasis(TagState& state, TagBasis& basis)
{
    std::swap(m_basis, basis);
    std::swap(m_state, state);
    m_state = seenAs(std::move(m_state), state);
    tagsChanged(Change::tagList | Change::activeTag | Change::basis);
}

void TagStore::tagsChanged(Changes more)
{
    const bool wasCurrent = document().runs().isSplitCurrent();
    if (more.testFlag(Change::tagList))
        document().checks().forgetTotals();
    look();
    if (wasCurrent != document().runs().isSplitCurrent())
        more |= Change::outcome;
    announce(more | Change::tags | Change::check);
}

} // namespace sunder
