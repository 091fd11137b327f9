#include "app/awaited_focus.h"

#include "app/in_sight.h"

#include <QApplication>
#include <QKeyEvent>

namespace sunder {
namespace {

bool isTyped(const QKeyEvent& event)
{
    return (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
}

bool leaves(const QKeyEvent& event)
{
    return !isTyped(event) || event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab || event.key() == Qt::Key_Escape;
}

} // namespace

AwaitedFocus::AwaitedFocus(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

void AwaitedFocus::expectIn(QWidget& widget)
{
    m_wanted = &widget;
    if (!isAwaited())
        m_wanted = nullptr;
}

bool AwaitedFocus::isAwaited() const
{
    if (m_wanted == nullptr)
        return false;
    const QWidget* now = m_wanted->window()->focusWidget();
    const bool has = now != nullptr && (now == m_wanted || m_wanted->isAncestorOf(now)) && isInSight(*now);
    return !has;
}

/// Returns whether keys go to another window: a menu, a message, or a dialog.
bool AwaitedFocus::isElsewhere() const
{
    const QWidget* active = QApplication::activeWindow();
    return QApplication::activePopupWidget() != nullptr || (active != nullptr && active != m_wanted->window());
}

bool AwaitedFocus::eventFilter(QObject* watched, QEvent* event)
{
    if (m_wanted == nullptr || isElsewhere())
        return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::FocusIn:
        if (event->type() == QEvent::MouseButtonPress || !isAwaited())
            m_wanted = nullptr;
        return false;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (!isAwaited() || leaves(key)) {
            m_wanted = nullptr;
            return false;
        }
        event->accept();
        return true;
    }
    default: return false;
    }
}

} // namespace sunder

#include "moc_awaited_focus.cpp"
