#pragma once

#include "app/actions.h"
#include "app/disk_notices.h"
#include "app/model_files.h"
#include "app/pass_requests.h"
#include "app/preferences.h"
#include "app/returned_memory.h"
#include "app/work_area.h"
#include "app/workflow.h"
#include "app/workspace.h"
#include "document/custom_operators.h"
#include "document/document.h"
#include "jobs/jobs.h"
#include "models/command_keys.h"
#include "tagging/automatic_tags.h"

#include <QElapsedTimer>
#include <QMainWindow>

#include <functional>

#include <memory>
#include <vector>

class QStackedWidget;

namespace sunder {

class Autosave;
class AwaitedFocus;
class Bookmarks;
class CrashOffer;
class LastSession;
class NoticeBar;
class Project;
class ProjectOffer;
class RecoveryOffer;
class RepairOffer;
class StepCommands;
class SearchField;
class SplitRefusal;
class StatusLine;
class WelcomePage;

/// The main window: creates all components and connects them.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Appearance* appearance, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openModel(const QString& path);
    /// Reopens the last session if the preferences ask for it.
    void reopenLastSession();

    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Jobs& jobs() { return m_jobs; }
    [[nodiscard]] Workflow& workflow() { return m_workflow; }
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    [[nodiscard]] Workspace& workspace() { return m_work->panes(); }
    [[nodiscard]] SourcePane& sourcePane() { return workspace().source(); }
    [[nodiscard]] SubmodulesPane& submodulesPane() { return workspace().submodules(); }
    [[nodiscard]] RegionsPane& regionsPane() { return workspace().regions(); }
    [[nodiscard]] HierarchyPane& hierarchyPane() { return workspace().hierarchy(); }
    [[nodiscard]] OutlinePanel& outlinePanel() { return m_work->outline(); }
    [[nodiscard]] TagsPanel& tagsPanel() { return m_work->tags(); }
    [[nodiscard]] InspectorPanel& inspectorPanel() { return m_work->inspector(); }
    [[nodiscard]] ProblemsPanel& problemsPanel() { return m_work->problems(); }
    [[nodiscard]] DevicesPanel& devicesPanel() { return m_work->devices(); }
    [[nodiscard]] RunsPanel& runsPanel() { return m_work->runs(); }
    [[nodiscard]] SearchField& searchField() { return *m_search; }
    [[nodiscard]] CustomOperators& customOperators() { return m_operators; }
    [[nodiscard]] Bookmarks& bookmarks() { return *m_bookmarks; }
    [[nodiscard]] Project& project() { return *m_project; }
    [[nodiscard]] Autosave& autosave() { return *m_autosave; }
    [[nodiscard]] ModelFiles& files() { return m_files; }
    [[nodiscard]] bool showsWelcome() const;

    /// Offers the unseen reports of this crash log.
    void offerCrashReports(const QString& path);
    /// Offers unsaved work of earlier sessions.
    void offerUnsavedWork();
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
    void build();
    void buildProject();
    /// Stores the state for the next session.
    void remember();
    void connectDocument();
    void connectPanels();
    void connectSource();
    void connectPanes();
    /// Stores the file of operator schemas in the settings and loads that of the last session.
    void connectOperators();
    void connectActions();
    void connectWindowActions();

    void documentChanged(Changes what);
    void showState();
    void say(const QString& text) { sayUntil(text, {}); }
    /// Shows a message until the document changes in this way.
    void sayUntil(const QString& text, Changes until);
    void complain(const QString& title, const QString& why, const QString& next);
    /// Shows an error without a suggested command.
    void complainOf(const QString& title, const QString& why) { complain(title, why, {}); }
    void splitRefused(const QString& why);
    void answer(const QString& question, const QString& why);
    void answerWhyHere();
    void cutAgain(const RunResult& result);
    void goToProblem(int by);
    void askForReplacement(const QString& move, const std::function<void()>& replace);
    void focusGraph();
    [[nodiscard]] std::vector<QWidget*> areas() const;
    void goToSearch();
    void renameTag();
    void showTagging(TaggingRequest::Way way);
    void showOperators();
    void showExport(Pane* front = nullptr);
    void showSelectionMenu(const QPoint& globalPosition, const QString& module, const std::vector<NodeId>& nodes);
    void showRepairs(int mark, const QPoint& globalPosition);

    Preferences m_preferences;
    Jobs m_jobs;
    Document m_document;
    Workflow m_workflow;
    CustomOperators m_operators;
    ReturnedMemory m_returnedMemory;
    Actions m_actions;
    CommandKeys m_keys;
    ModelFiles m_files;
    PassRequests m_passes;

    QStackedWidget* m_stack = nullptr; ///< welcome page or work area
    WelcomePage* m_welcome = nullptr;
    WorkArea* m_work = nullptr;
    SearchField* m_search = nullptr;
    AwaitedFocus* m_awaited = nullptr;
    CrashOffer* m_crashOffer = nullptr;
    std::unique_ptr<StatusLine> m_status;
    DiskNotices* m_disk = nullptr;
    LastSession* m_last = nullptr;
    NoticeBar* m_recoveryBar = nullptr;
    NoticeBar* m_projectBar = nullptr;
    NoticeBar* m_repairBar = nullptr;
    std::unique_ptr<Bookmarks> m_bookmarks;
    Project* m_project = nullptr;
    Autosave* m_autosave = nullptr;
    RecoveryOffer* m_recovery = nullptr;
    ProjectOffer* m_projectOffer = nullptr;
    RepairOffer* m_repairs = nullptr;
    SplitRefusal* m_refusal = nullptr;
    StepCommands* m_stepCommands = nullptr;
    QElapsedTimer m_sinceOpening; ///< from opening a model to its first picture
};

} // namespace sunder
