#include "document/tag_commands.h"

#include "document/document.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {

RetagCommand::RetagCommand(Document& document, Changes changes, int stroke, QString verb)
    : m_document(document), m_changes(std::move(changes)), m_stroke(stroke), m_verb(std::move(verb))
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
    setObsolete(m_document.m_isCancelling);
}

void RetagCommand::swap()
{
    m_document.swapTags(m_changes);
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

TagStateCommand::TagStateCommand(Document& document, TagState state, const QString& text)
    : QUndoCommand(text), m_document(document), m_state(std::move(state))
{
}

void TagStateCommand::swap()
{
    m_document.swapState(m_state);
}

TagBasisCommand::TagBasisCommand(Document& document, TagState state, TagBasis basis, const QString& text)
    : QUndoCommand(text), m_document(document), m_state(std::move(state)), m_basis(std::move(basis))
{
}

void TagBasisCommand::swap()
{
    m_document.swapBasis(m_state, m_basis);
}

ReloadCommand::ReloadCommand(Document& document, PreparedModel model, const QString& text)
    : QUndoCommand(text), m_document(document), m_model(std::move(model))
{
}

ReloadCommand::~ReloadCommand()
{
    if (m_document.m_jobs != nullptr)
        Jobs::discard(std::make_shared<const std::pair<PreparedModel, RunHistory>>(std::move(m_model), std::move(m_runs)));
}

void ReloadCommand::swap()
{
    m_document.swapModel(m_model, m_runs);
}

} // namespace sunder
