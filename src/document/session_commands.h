#pragma once

#include <QUndoCommand>

#include <functional>
#include <utility>

namespace sunder {

/// Undo command for a change that a tags file does not hold: devices, run history, assumed sizes, notes.
class SessionCommand : public QUndoCommand {
public:
    using QUndoCommand::QUndoCommand;
};

/// A command whose undo and redo both exchange a value of the command with one of the document.
template <typename Command>
class SwapCommand final : public Command {
public:
    SwapCommand(const QString& text, std::function<void()> swap) : Command(text), m_swap(std::move(swap)) {}
    void undo() override { m_swap(); }
    void redo() override { m_swap(); }

private:
    std::function<void()> m_swap;
};
using SwapInSession = SwapCommand<SessionCommand>;

} // namespace sunder
