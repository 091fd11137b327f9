#include "app/step_commands.h"

#include <QUndoStack>

namespace sunder {

StepCommands::StepCommands(Document& document, QObject* parent) : QObject(parent), m_document(document)
{
    connect(&document.steps(), &QUndoStack::indexChanged, this, &StepCommands::forgetGone);
}

void StepCommands::note(CliCommand command)
{
    const QUndoStack& stack = m_document.steps();
    if (stack.index() > 0)
        m_noted.insert_or_assign(stack.index(), Noted{stack.command(stack.index() - 1), std::move(command)});
}

const CliCommand* StepCommands::of(int step) const
{
    const auto found = m_noted.find(step);
    return found == m_noted.end() ? nullptr : &found->second.command;
}

/// Forgets undone steps that were replaced by new ones.
void StepCommands::forgetGone()
{
    const QUndoStack& stack = m_document.steps();
    std::erase_if(m_noted, [&](const auto& entry) {
        return entry.first > stack.count() || stack.command(entry.first - 1) != entry.second.step;
    });
}

} // namespace sunder

#include "moc_step_commands.cpp"
