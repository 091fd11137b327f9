#include "canvas/key_commands.h"

#include <QKeyEvent>

namespace sunder {

std::optional<KeyCommand> keyCommand(const QKeyEvent& event)
{
    const bool withAlt = event.modifiers().testFlag(Qt::AltModifier);
    const bool withShift = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return withAlt ? KeyCommand::activateAll : KeyCommand::activate;
    case Qt::Key_Backspace: return KeyCommand::goUp;
    case Qt::Key_Escape: return KeyCommand::escape;
    case Qt::Key_J:
        if ((event.modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
            return std::nullopt; // shortcuts of the window
        return withShift ? KeyCommand::previousRinged : KeyCommand::nextRinged;
    case Qt::Key_Period:
    case Qt::Key_Comma:
        if (event.modifiers() != Qt::NoModifier)
            return std::nullopt;
        return event.key() == Qt::Key_Period ? KeyCommand::nextEdge : KeyCommand::previousEdge;
    case Qt::Key_S:
        if ((event.modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
            return std::nullopt;
        return withShift ? KeyCommand::previousScope : KeyCommand::nextScope;
    case Qt::Key_BracketLeft: return KeyCommand::narrower;
    case Qt::Key_BracketRight: return KeyCommand::wider;
    default: return std::nullopt;
    }
}

std::optional<WalkDirection> walkDirection(const QKeyEvent& event, FlowDirection flow)
{
    const bool isRight = flow == FlowDirection::right;
    switch (event.key()) {
    case Qt::Key_Up: return isRight ? WalkDirection::before : WalkDirection::producer;
    case Qt::Key_Down: return isRight ? WalkDirection::behind : WalkDirection::consumer;
    case Qt::Key_Left: return isRight ? WalkDirection::producer : WalkDirection::before;
    case Qt::Key_Right: return isRight ? WalkDirection::consumer : WalkDirection::behind;
    case Qt::Key_Home: return WalkDirection::first;
    case Qt::Key_End: return WalkDirection::last;
    default: return std::nullopt;
    }
}

std::optional<SelectionMode> walkSelection(const QKeyEvent& event)
{
    if (event.modifiers().testFlag(Qt::ControlModifier))
        return std::nullopt;
    return event.modifiers().testFlag(Qt::ShiftModifier) ? SelectionMode::add : SelectionMode::replace;
}

} // namespace sunder
