#include "document/tag_store.h"

#include "document/document.h"
#include "document/followed_tags.h"
#include "document/session_commands.h"
#include "document/text.h"
#include "text/amounts.h"

#include <QUndoCommand>

#include <algorithm>
#include <vector>

namespace sunder {

/// Changes tags of some nodes. Undo and redo swap the tags in the command with those of the document.
class RetagCommand final : public QUndoCommand {
public:
    /// Commands with the same `stroke` > 0 are merged. `verb` is the text without the count: "Paint stage 1".
    RetagCommand(TagStore& tags, TagChanges changes, int stroke, QString verb);

    /// Removes the command from the stack if its stroke is being canceled.
    void undo() override;
    void redo() override { swap(); }
    [[nodiscard]] int id() const override { return 1; }
    [[nodiscard]] int stroke() const { return m_stroke; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    void swap();
    bool remember(NodeId id);
    void nameIt();

    TagStore& m_tags;
    TagChanges m_changes;
    std::vector<bool> m_has; ///< per node: is in m_changes; filled when strokes are merged
    int m_stroke;
    QString m_verb;
};

RetagCommand::RetagCommand(TagStore& tags, TagChanges changes, int stroke, QString verb)
    : m_tags(tags), m_changes(std::move(changes)), m_stroke(stroke), m_verb(std::move(verb))
{
    nameIt();
}

bool RetagCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const RetagCommand*>(other);
    if (m_stroke == 0 || next->m_stroke != m_stroke)
        return false;
    if (m_has.empty())
        for (const auto& change : m_changes)
            remember(change.first);
    // Both commands hold the tags before the change; undo restores those of the first.
    for (const auto& change : next->m_changes)
        if (remember(change.first))
            m_changes.push_back(change);
    nameIt();
    return true;
}

void RetagCommand::undo()
{
    swap();
    setObsolete(m_tags.m_isCancelling);
}

void RetagCommand::swap()
{
    m_tags.swapTags(m_changes);
}

bool RetagCommand::remember(NodeId id)
{
    if (id.index() >= m_has.size())
        m_has.resize(id.index() + 1, false);
    const bool isNew = !m_has[id.index()];
    m_has[id.index()] = true;
    return isNew;
}

void RetagCommand::nameIt()
{
    setText(QStringLiteral("%1: %2").arg(m_verb, countText(m_changes.size(), "op")));
}

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
    recheck();
    if (wasCurrent != document().runs().isSplitCurrent())
        more |= Change::outcome;
    announce(more | Change::tags | Change::check);
}

} // namespace sunder
