#include "document/tag_commands.h"

#include "document/tag_store.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {

RetagCommand::RetagCommand(TagStore& tags, Changes changes, int stroke, QString verb)
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

} // namespace sunder
