#pragma once

#include "app/work_area.h"

#include <QObject>

class QMainWindow;

namespace sunder {

struct Actions;
class AwaitedFocus;
class Messages;
class SearchField;
class Session;

/// Commands that move through the window: search, problems, panels, areas, arrangements, and help.
class WindowCommands final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session& session;
        const Actions& actions;
        WorkArea& work;
        SearchField& search;
        AwaitedFocus& awaited;
        Messages& messages;
    };
    /// All parts must outlive this object.
    WindowCommands(const Parts& parts, QMainWindow& window);

private:
    void connectDocument();
    void connectPanels();
    void connectHelp();
    /// Connects a command to a tab of the bottom panel.
    void connectTab(QAction* action, void (WorkArea::*show)());
    void goToProblem(int by);
    void goToSearch();
    void renameTag();
    void editTagCode();
    void answerWhyHere();
    [[nodiscard]] std::vector<QWidget*> areas() const;

    Parts m_parts;
    QMainWindow& m_window;
};

} // namespace sunder
