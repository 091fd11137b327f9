#pragma once

#include "app/actions.h"
#include "app/pass_requests.h"
#include "app/preferences.h"
#include "app/session.h"
#include "models/command_keys.h"

#include <QElapsedTimer>
#include <QMainWindow>

#include <memory>

class QStackedWidget;

namespace sunder {

class AwaitedFocus;
class Bookmarks;
class CrashOffer;
class Messages;
class NoticeBar;
class RepairOffer;
class SearchField;
class SessionFiles;
class StatusLine;
class StepCommands;
class WelcomePage;
class WorkArea;

/// The main window: creates the session, its files, views, commands, and messages, and connects them.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Appearance* appearance, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openModel(const QString& path);
    /// Reopens the last session if the preferences ask for it.
    void reopenLastSession();
    /// Offers the unseen reports of this crash log.
    void offerCrashReports(const QString& path);
    /// Offers unsaved work of earlier sessions.
    void offerUnsavedWork();
    /// Hands the tags of `model` to a script that waits for the file `tagsOut`.
    void handTagsTo(const QString& tagsOut, const QString& model);
    /// Ends the program on a signal without showing dialogs. Hands over tags if a script waits for them; keeps other unsaved work
    /// for the next start.
    void endNow();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Skips widgets in docks behind other tabs.
    bool focusNextPrevChild(bool next) override;

private:
    void buildViews();
    void buildBars();
    void buildFiles();
    void buildCommands();
    void connectSession();
    void connectFiles();
    void connectSource();
    void connectPanels();
    void connectPanes();
    /// Shows the messages and errors that the parts of the window report.
    void connectMessages();
    void documentChanged(Changes what);
    void showState();

    Preferences m_preferences;
    Session m_session{this};
    Actions m_actions;
    CommandKeys m_keys;
    PassRequests m_passes;

    QStackedWidget* m_stack = nullptr; ///< welcome page or work area
    WelcomePage* m_welcome = nullptr;
    WorkArea* m_work = nullptr;
    SearchField* m_search = nullptr;
    AwaitedFocus* m_awaited = nullptr;
    std::unique_ptr<StatusLine> m_status;
    Messages* m_messages = nullptr;
    NoticeBar* m_recoveryNotice = nullptr;
    NoticeBar* m_projectNotice = nullptr;
    CrashOffer* m_crashOffer = nullptr;
    RepairOffer* m_repairs = nullptr;
    StepCommands* m_stepCommands = nullptr;
    Bookmarks* m_bookmarks = nullptr;
    SessionFiles* m_files = nullptr;
    QElapsedTimer m_sinceOpening; ///< from opening a model to its first picture
};

} // namespace sunder
