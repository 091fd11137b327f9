#pragma once

#include "document/changes.h"

#include <QObject>

#include <functional>

class QWidget;

namespace sunder {

class LogPanel;
class StatusLine;

/// The messages of the window: short ones in the status line, errors and answers in dialogs. The log keeps messages and errors.
class Messages final : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this object. Dialogs open over `window`.
    Messages(LogPanel& log, StatusLine& status, QWidget& window);

    void say(const QString& text) { showUntil(text, {}); }
    /// Shows a message until the document changes in this way.
    void showUntil(const QString& text, Changes until);
    /// Shows an error. `next` is the action name of a command that may help; may be empty.
    void complain(const QString& title, const QString& why, const QString& next);
    /// Shows an error without a suggested command.
    void complainOf(const QString& title, const QString& why) { complain(title, why, {}); }
    void answer(const QString& question, const QString& why);
    /// Asks before an op moved in a partition replaces existing tags with the parts of the partition.
    void askForReplacement(const QString& move, const std::function<void()>& replace);

private:
    LogPanel& m_log;
    StatusLine& m_status;
    QWidget& m_window;
};

} // namespace sunder
