#pragma once

#include "app/actions.h"
#include "app/appearance.h"
#include "app/returned_memory.h"
#include "app/workflow.h"
#include "document/custom_operators.h"
#include "document/document.h"
#include "jobs/jobs.h"

#include <QElapsedTimer>
#include <QMainWindow>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTimer;
class QToolButton;

namespace sunder {

class AwaitedFocus;
class DevicesPanel;
class DiskWatch;
struct DiskChange;
class CrashOffer;
class FileChangeBar;
class GraphView;
class InspectorPanel;
class JobsPanel;
class LogPanel;
class OutlinePanel;
class Pane;
class PartitionDialog;
class ProblemsPanel;
class RunsPanel;
class SearchField;
class SourcePane;
class HierarchyPane;
class RegionsPane;
class SubmodulesPane;
class TagsPanel;
class WelcomePage;
class Workspace;

/// The window: frame, menus, toolbar, panels around the graph; everything else is done by those.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Appearance* appearance, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openModel(const QString& path);

    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Jobs& jobs() { return m_jobs; }
    [[nodiscard]] Workflow& workflow() { return m_workflow; }
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    [[nodiscard]] Workspace& workspace() { return *m_panes; }
    [[nodiscard]] SourcePane& sourcePane();
    [[nodiscard]] SubmodulesPane& submodulesPane();
    [[nodiscard]] RegionsPane& regionsPane();
    [[nodiscard]] HierarchyPane& hierarchyPane();
    [[nodiscard]] OutlinePanel& outlinePanel() { return *m_outline; }
    [[nodiscard]] TagsPanel& tagsPanel() { return *m_tags; }
    [[nodiscard]] InspectorPanel& inspectorPanel() { return *m_inspector; }
    [[nodiscard]] ProblemsPanel& problemsPanel() { return *m_problems; }
    [[nodiscard]] DevicesPanel& devicesPanel() { return *m_devices; }
    [[nodiscard]] RunsPanel& runsPanel() { return *m_runs; }
    [[nodiscard]] SearchField& searchField() { return *m_search; }
    [[nodiscard]] CustomOperators& customOperators() { return m_operators; }
    [[nodiscard]] DiskWatch& diskWatch() { return *m_diskWatch; }
    [[nodiscard]] FileChangeBar& modelChangeBar() { return *m_modelChange; }
    [[nodiscard]] FileChangeBar& tagsChangeBar() { return *m_tagsChange; }
    [[nodiscard]] bool showsWelcome() const;

    /// Offers what this log of crashes holds, where nobody has seen it.
    void offerCrashReports(const QString& path);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Passes over what is in docks behind others.
    bool focusNextPrevChild(bool next) override;

private:
    // main_window.cpp
    void documentChanged(Changes what);
    void showState();
    void showStatus();
    void say(const QString& text);
    void complain(const QString& title, const QString& why);
    void showStages();
    void showOperators();
    /// Keeps their file in the settings and takes that of last time.
    void connectOperators();
    void setTool(ToolKind tool);
    /// The pane that has the focus, else the source.
    [[nodiscard]] Pane& paneInFront() const;
    /// The graph of that pane, else that of the source.
    [[nodiscard]] GraphView& graphInFront() const;

    // main_window_passes.cpp
    void connectPasses();
    void startPass(const Pass& pass);
    /// With these options; flags that are in the menu stay so from now on.
    void runPassWith(const QString& id, const PassOptions& options);
    /// Asks for other options than that run's, and makes another one.
    void runAgain(int number);
    void askForPass(const Pass& pass, const PassOptions& options);
    void splitRefused(const QString& why);
    void showPartition(const PassOptions& options);

    // main_window_export.cpp
    void showExport(Pane* front = nullptr);

    // main_window_files.cpp
    void openFailed(const QString& path, const QString& why);
    void chooseModel();
    void chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs);
    void chooseTags();
    bool saveTags(bool askWhere);
    bool mayLoseTags();
    /// Somebody else has written to the tags file: asks. True when tags were saved, there or elsewhere.
    bool saveTagsOfOthers();
    // main_window_disk.cpp
    void connectDiskWatch();
    void showDiskChange(WatchedFile file, const std::optional<DiskChange>& change);
    void showDiskComparison(WatchedFile file, const QString& name, const DiskComparison& found);
    void reloadFromDisk(WatchedFile file);
    void keepInSpiteOfDisk(WatchedFile file);
    void remember(const QString& path);
    void refreshWelcome();

    // main_window_layout.cpp
    void buildPanels();
    void buildStatusBar();
    void restoreLayout();
    void saveLayout() const;
    void resetLayout();
    /// What Ctrl+Tab goes through, in this order.
    [[nodiscard]] std::vector<QWidget*> areas() const;

    // main_window_menus.cpp
    void buildMenus();
    void buildToolBar();
    void buildSearchBar();
    void connectActions();
    void buildPassMenu(QMenu& menu);
    void buildAppearanceMenu(QMenu& menu);
    void fillRecentMenu();
    void showSelectionMenu(const QPoint& globalPosition);
    void showRepairs(int mark, const QPoint& globalPosition);
    void showGestures();
    void showAbout();
    void goToSearch();
    void renameTag();

    Appearance* m_appearance;
    Jobs m_jobs;
    Document m_document;
    Workflow m_workflow;
    CustomOperators m_operators;
    ReturnedMemory m_returnedMemory;
    Actions m_actions;

    QStackedWidget* m_stack = nullptr; ///< welcome page or workspace
    WelcomePage* m_welcome = nullptr;
    QSplitter* m_workspace = nullptr;  ///< side column | rest
    QSplitter* m_side = nullptr;       ///< outline / tags / devices / inspector
    QSplitter* m_rest = nullptr;       ///< panes / bottom
    Workspace* m_panes = nullptr;      ///< source | results
    CrashOffer* m_crashOffer = nullptr;
    FileChangeBar* m_modelChange = nullptr; ///< above the panes
    FileChangeBar* m_tagsChange = nullptr;
    DiskWatch* m_diskWatch = nullptr;
    QTabWidget* m_bottom = nullptr;
    OutlinePanel* m_outline = nullptr;
    TagsPanel* m_tags = nullptr;
    DevicesPanel* m_devices = nullptr;
    InspectorPanel* m_inspector = nullptr;
    SourcePane* m_source = nullptr;
    ProblemsPanel* m_problems = nullptr;
    JobsPanel* m_jobsPanel = nullptr;
    RunsPanel* m_runs = nullptr;
    LogPanel* m_log = nullptr;
    SearchField* m_search = nullptr;
    AwaitedFocus* m_awaited = nullptr;
    QElapsedTimer m_sinceOpening; ///< runs until the first picture of a model is there
    QLabel* m_counts = nullptr;
    QLabel* m_message = nullptr; ///< what was said last, for a while
    QLabel* m_speed = nullptr;
    QTimer* m_messageTime = nullptr;
    PartitionDialog* m_partitionDialog = nullptr; ///< made when first asked for
    QMenu* m_recentMenu = nullptr;
    QMenu* m_paintMenu = nullptr;
};

} // namespace sunder
