#include "dialogs/key_field.h"

#include <QContextMenuEvent>
#include <QKeyEvent>

namespace sunder {
namespace {

/// Ignores Shift if it only produces the character: "?" is not Shift+?.
Qt::KeyboardModifiers countedModifiers(const QKeyEvent& event)
{
    Qt::KeyboardModifiers counted = event.modifiers()
        & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    const QString text = event.text();
    if (!text.isEmpty() && text.front().isPrint() && !text.front().isLetterOrNumber() && !text.front().isSpace())
        counted &= ~Qt::ShiftModifier;
    return counted;
}

bool isModifier(int key)
{
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta || key == Qt::Key_AltGr
        || key == Qt::Key_CapsLock || key == Qt::Key_NumLock || key == Qt::Key_Super_L || key == Qt::Key_Super_R || key == 0
        || key == Qt::Key_unknown;
}

} // namespace

KeyField::KeyField(QWidget* parent) : QLineEdit(parent)
{
    setReadOnly(true);
}

void KeyField::forget()
{
    m_keys = {};
    clear();
}

/// Keeps the window's commands from reacting to keys pressed here, and accepts Ctrl+Tab as a shortcut.
bool KeyField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent* event)
{
    const Qt::KeyboardModifiers modifiers = countedModifiers(*event);
    const bool isPlain = (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier;
    const int key = event->key();
    if (isPlain && (key == Qt::Key_Return || key == Qt::Key_Enter) && !m_keys.isEmpty()) {
        emit confirmed();
        return;
    }
    if (isModifier(key)
        || (isPlain && (key == Qt::Key_Tab || key == Qt::Key_Backtab || (key == Qt::Key_Escape && m_keys.isEmpty())))) {
        event->ignore();
        return;
    }
    if (isPlain && key == Qt::Key_Escape) {
        forget();
    } else {
        m_keys = QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key)));
        setText(m_keys.toString(QKeySequence::NativeText));
    }
    emit pressed(m_keys);
}

/// No menu, since nothing can be copied or pasted.
void KeyField::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
}

} // namespace sunder

#include "moc_key_field.cpp"
