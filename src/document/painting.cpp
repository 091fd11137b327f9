#include "document/painting.h"

#include "document/document.h"
#include "document/followed_tags.h"
#include "document/text.h"
#include "tagging/problem.h"
#include "tagging/tag_list.h"
#include "tagging/tag_repairs.h"

#include <utility>

namespace sunder {

int Painting::paint(std::span<const NodeId> nodes, int tag)
{
    if (!document().isOpen() || tag < TagAssignment::kUntagged || tag >= document().tagCount())
        return 0;
    return m_store.pushChanges(wantedOf(nodes, tag), m_isStroking ? m_stroke : 0,
                               tag < 0 ? QObject::tr("Erase") : QObject::tr("Paint %1").arg(document().tagName(tag)));
}

int Painting::erase(std::span<const NodeId> nodes)
{
    return paint(nodes, TagAssignment::kUntagged);
}

void Painting::beginStroke()
{
    ++m_stroke;
    m_isStroking = true;
}

void Painting::cancelStroke()
{
    if (std::exchange(m_isStroking, false))
        m_store.dropStroke(m_stroke);
}

int Painting::paintList(std::span<const NodeId> nodes, int tag, const QString& what)
{
    if (!document().isOpen() || tag < TagAssignment::kUntagged || tag >= document().tagCount())
        return 0;
    return m_store.pushChanges(wantedOf(nodes, tag), 0,
                               tag < 0 ? QObject::tr("Erase %1").arg(what)
                                       : QObject::tr("Paint %1 with %2").arg(what, document().tagName(tag)));
}

void Painting::paintWithNewTag(std::span<const NodeId> nodes, const QString& what)
{
    if (!document().isOpen())
        return;
    beginMacro(QObject::tr("Paint %1 with a new tag").arg(what));
    document().tagList().add();
    paintList(nodes, document().activeTag(), what);
    endMacro();
}

void Painting::fillInUntagged(FillIn which)
{
    if (!document().isOpen() || (which == FillIn::latest && document().tagCount() == 0))
        return;
    using Found = TagChanges;
    compute<Found>(
        QObject::tr("Fill untagged ops"),
        [snapshot = snapshot(), tags = m_store.state().tags, which](ProgressMonitor&) -> Result<Found> {
            return which == FillIn::latest ? latestTags(snapshot->graph(), tags)
                                           : earliestTags(legalityTables(snapshot->program), tags);
        },
        [this](Result<Found> found) {
            if (!found)
                return;
            // Keep ops that a stroke tagged meanwhile.
            std::erase_if(*found, [this](const auto& change) { return m_store.state().tags[change.first] >= 0; });
            m_store.pushChanges(std::move(*found), 0, QObject::tr("Fill untagged ops"));
        });
}

void Painting::retag(TagChanges changes, const QString& what)
{
    if (!document().isOpen())
        return;
    changes = meantForward(m_store.state(), *snapshot(), std::move(changes));
    std::erase_if(changes, [this](const auto& change) {
        const std::int32_t before = m_store.state().tags[change.first];
        return before == change.second || change.second >= document().tagCount() || m_store.isLocked(before)
            || m_store.isLocked(change.second);
    });
    if (!changes.empty())
        m_store.pushRetagging(withFollowing(m_store.state(), *snapshot(), std::move(changes)), 0, what);
}

void Painting::apply(const Repair& repair)
{
    const QString step = QObject::tr("Fix: %1").arg(text(repair.label));
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
    case Repair::Kind::reorder: document().tagList().reorder(repair.order, step); break;
    case Repair::Kind::removeTag: document().tagList().remove(repair.tag); break;
    case Repair::Kind::stages: document().tagSources().tagInStages(repair.tag, StageMeasure::bytes); break;
    case Repair::Kind::show:
        document().marks().select(repair.nodes);
        document().marks().reveal();
        break;
    }
}

/// Applies all changes or none: a partial fix does not fix the problem.
void Painting::applyChanges(TagChanges changes, const QString& verb)
{
    if (const QString why = refusalText(m_store.state(), retagging(m_store.state(), *snapshot(), changes).kept); !why.isEmpty())
        say(why);
    else
        m_store.pushChanges(std::move(changes), 0, verb);
}

/// Applies a fix that reduces the number of tags.
void Painting::applyTags(const Repair& repair)
{
    if (Result<TagAssignment> tags = repaired(*snapshot(), m_store.state().tags, repair))
        document().tagSources().takeTags(std::move(*tags), QObject::tr("Fix: %1").arg(text(repair.label)));
}

void Painting::setBackwardFollows(bool follows)
{
    if (!document().isOpen() || m_store.state().backwardFollows == follows || !snapshot()->training.isTraining())
        return;
    TagState state = m_store.state();
    state.backwardFollows = follows;
    m_store.pushState(std::move(state),
                      follows ? QObject::tr("Keep backward ops with their forward op")
                              : QObject::tr("Tag backward ops independently"));
}

void Painting::setProtecting(bool isProtecting)
{
    if (m_store.state().protectsTagged == isProtecting)
        return;
    m_store.m_state.protectsTagged = isProtecting;
    announce(Change::activeTag);
}

} // namespace sunder
