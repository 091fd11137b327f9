#include "app/messages.h"

#include "app/status_line.h"
#include "dialogs/message_dialog.h"
#include "document/text.h"
#include "panels/log_panel.h"

#include <QAction>
#include <QApplication>

namespace sunder {

Messages::Messages(LogPanel& log, StatusLine& status, QWidget& window)
    : QObject(&window), m_log(log), m_status(status), m_window(window)
{
}

void Messages::showUntil(const QString& text, Changes until)
{
    m_log.add(text);
    m_status.say(text, until);
}

void Messages::complain(const QString& title, const QString& why, const QString& next)
{
    m_log.add(QStringLiteral("%1: %2").arg(title, why));
    const QString shown = brief(visible(title));
    QWidget* modal = QApplication::activeModalWidget(); // closing the message gives the focus back to this dialog
    auto* box = new MessageDialog(shown, shown, withShortWords(visible(why)), modal != nullptr ? modal : &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offerToLeave(tr("Close"), true);
    if (QAction* command = next.isEmpty() ? nullptr : m_window.findChild<QAction*>(next))
        box->offer(command->text(), [command] { command->trigger(); }, command->toolTip());
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

void Messages::answer(const QString& question, const QString& why)
{
    auto* box = new MessageDialog(question, question, withShortWords(why), &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offerToLeave(tr("Close"), true);
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

void Messages::askForReplacement(const QString& move, const std::function<void()>& replace)
{
    auto* box = new MessageDialog(
        tr("Convert to tags"), tr("The partition would replace your tags."),
        tr("%1. The parts of the changed partition become your tags. Undo restores the previous ones.").arg(move), &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("Convert to tags"), replace);
    box->offerToLeave(tr("Cancel"));
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

} // namespace sunder

#include "moc_messages.cpp"
