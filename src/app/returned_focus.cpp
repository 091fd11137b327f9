#include "app/returned_focus.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>

#include <algorithm>

namespace sunder {
namespace {

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

#include "moc_returned_focus.cpp"
