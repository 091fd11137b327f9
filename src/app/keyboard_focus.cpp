#include "app/keyboard_focus.h"

#include "panes/pane.h"
#include "panes/pane_header.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>

namespace sunder {
namespace {

bool isAside(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr || qobject_cast<const QTabBar*>(&widget) != nullptr
        || qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QComboBox*>(&widget) != nullptr;
}

/// Returns the main widget of an area: the first in tab order that takes the focus, preferring lists and graphs. Null if there is
/// none.
QWidget* mainWidgetOf(const QWidget& area)
{
    QWidget* aside = nullptr;
    for (QWidget* widget = area.nextInFocusChain(); widget != &area; widget = widget->nextInFocusChain()) {
        const bool takesFocus = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled();
        if (!takesFocus || !area.isAncestorOf(widget) || !isInSight(*widget))
            continue;
        if (!isAside(*widget))
            return widget;
        if (aside == nullptr)
            aside = widget;
    }
    return aside;
}

/// Returns the index of the area with the focus; −1 if none has it.
int placeOfFocus(const std::vector<QWidget*>& areas)
{
    for (const QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget()) {
        const auto* header = qobject_cast<const PaneHeader*>(at); // the title bar of a dock is a sibling of its pane
        const QWidget* area = header == nullptr ? at : &header->pane();
        for (std::size_t i = 0; i < areas.size(); ++i)
            if (areas[i] == area)
                return static_cast<int>(i);
    }
    return -1;
}

bool isTyped(const QKeyEvent& event)
{
    return (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
}

bool leaves(const QKeyEvent& event)
{
    return !isTyped(event) || event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab || event.key() == Qt::Key_Escape;
}

/// Activates the window of a widget and focuses the widget unless the window already has a focus.
void giveBack(QWidget* before)
{
    QWidget* modal = QApplication::activeModalWidget();
    QWidget* window = modal != nullptr ? modal : before != nullptr ? before->window() : nullptr;
    if (window == nullptr || !window->isVisible() || (QApplication::focusWidget() != nullptr && window->isActiveWindow()))
        return;
    window->activateWindow();
    if (before != nullptr && before->window() == window && before->isVisible() && before->isEnabled()
        && window->focusWidget() == nullptr)
        before->setFocus(Qt::ActiveWindowFocusReason);
}

} // namespace

bool isInSight(const QWidget& widget)
{
    if (!widget.isVisible())
        return false;
    QRect shown = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow() && !shown.isEmpty(); at = at->parentWidget())
        shown = shown.translated(at->pos()) & at->parentWidget()->rect();
    return !shown.isEmpty();
}

void stepFocus(const std::vector<QWidget*>& areas, int by)
{
    const int count = static_cast<int>(areas.size());
    int place = placeOfFocus(areas);
    if (place < 0 && by < 0)
        place = 0;
    for (int tried = 0; tried < count; ++tried) {
        place = (place + by + count) % count;
        QWidget& area = *areas[static_cast<std::size_t>(place)];
        QWidget* widget = mainWidgetOf(area);
        if (widget == nullptr)
            continue;
        widget->activateWindow(); // a dock can be a separate window
        widget->setFocus(Qt::TabFocusReason);
        return;
    }
}

// Awaited focus -----------------------------------------------------------------------------------

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

// Returned focus ----------------------------------------------------------------------------------

ReturnedFocus::ReturnedFocus(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

void ReturnedFocus::noteShown(QWidget& dialog)
{
    QWidget* before = QApplication::focusWidget();
    if (before == nullptr && dialog.parentWidget() != nullptr)
        before = dialog.parentWidget()->window()->focusWidget();
    if (before == nullptr || before->window() != &dialog)
        m_opened.push_back({&dialog, before != nullptr ? before : dialog.parentWidget()});
}

void ReturnedFocus::noteHidden(QWidget& dialog)
{
    const auto at = std::ranges::find_if(m_opened, [&](const Opened& one) { return one.dialog == &dialog; });
    if (at == m_opened.end())
        return;
    const QPointer<QWidget> before = at->before;
    m_opened.erase(at);
    const QWidget* active = QApplication::activeWindow();
    const bool hadKeys = active == nullptr || active == &dialog;
    if (hadKeys && QGuiApplication::applicationState() == Qt::ApplicationActive) // otherwise another program has the focus
        QMetaObject::invokeMethod(this, [before] { giveBack(before); }, Qt::QueuedConnection); // after the action of the dialog
}

bool ReturnedFocus::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        auto* dialog = qobject_cast<QDialog*>(watched);
        if (dialog != nullptr && dialog->isWindow() && !event->spontaneous())
            event->type() == QEvent::Show ? noteShown(*dialog) : noteHidden(*dialog);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_keyboard_focus.cpp"
