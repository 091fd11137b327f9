#include "app/main_window.h"

#include "app/autosave.h"
#include "app/awaited_focus.h"
#include "app/bookmarks.h"
#include "app/crash_offer.h"
#include "app/dialog_room.h"
#include "app/disk_notices.h"
#include "app/document_commands.h"
#include "app/export_subjects.h"
#include "app/graph_menus.h"
#include "app/in_sight.h"
#include "app/last_session.h"
#include "app/menus.h"
#include "app/plain_texts.h"
#include "app/project.h"
#include "app/project_offer.h"
#include "app/recovery_offer.h"
#include "app/repair_offer.h"
#include "app/returned_focus.h"
#include "app/settings_command.h"
#include "app/split_refusal.h"
#include "app/status_line.h"
#include "app/step_commands.h"
#include "app/tool_bars.h"
#include "app/welcome_models.h"
#include "app/window_settings.h"
#include "app/window_title.h"
#include "dialogs/export_dialog.h"
#include "dialogs/message_dialog.h"
#include "dialogs/operators_dialog.h"
#include "dialogs/tagging_dialog.h"
#include "document/assumed_sizes.h"
#include "document/tagging_command.h"
#include "document/text.h"
#include "models/problem_model.h"
#include "panels/devices_panel.h"
#include "panels/log_panel.h"
#include "panels/notice_bar.h"
#include "panels/problems_panel.h"
#include "panels/runs_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "panels/welcome_page.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/source_pane.h"
#include "panes/submodules/submodules_pane.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace sunder {

MainWindow::MainWindow(Appearance* appearance, QWidget* parent)
    : QMainWindow(parent), m_preferences(appearance), m_document(&m_jobs), m_workflow(m_document, m_jobs),
      m_operators(m_document, m_jobs), m_returnedMemory(m_document, m_jobs), m_actions(this, m_document),
      m_files(m_document, m_workflow, m_actions, *this), m_passes(m_document, m_jobs, m_workflow, m_actions, *this)
{
    keepTextsPlain();
    setAcceptDrops(true);
    build();
    connectActions();
    connectDocument();
    connectPanels();
    connectSource();
    connectPanes();
    connectOperators();
    buildProject();
    fillCommandKeys(m_keys, *this);
    connectSettings(m_actions, m_preferences, m_keys, workspace(), *this);
    restoreWindow(*this, *m_work, m_actions, m_document);
    showModels(*m_welcome);
    showState();
}

void MainWindow::build()
{
    m_awaited = new AwaitedFocus(this);
    new ReturnedFocus(this);
    new DialogRoom(this);
    auto* middle = new QWidget(this);
    setCentralWidget(middle);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* crashes = new NoticeBar(QStringLiteral("crashNotice"), middle); // topmost, and available before a model is opened
    m_stack = new QStackedWidget(middle);
    m_recoveryBar = new NoticeBar(QStringLiteral("recoveryNotice"), middle);
    m_projectBar = new NoticeBar(QStringLiteral("projectNotice"), middle);
    m_repairBar = new NoticeBar(QStringLiteral("repairNotice"), middle);
    column->addWidget(crashes);
    column->addWidget(m_recoveryBar);
    column->addWidget(m_projectBar);
    column->addWidget(m_repairBar);
    column->addWidget(m_stack, 1);
    m_welcome = new WelcomePage(m_stack);
    m_stepCommands = new StepCommands(m_document, this);
    m_work = new WorkArea(m_document, m_jobs, m_stack);
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_work);
    m_bookmarks = std::make_unique<Bookmarks>(m_document, sourcePane(), m_actions, *this);
    auto* bookmarks = new QMenu(tr("&Bookmarks"), this);
    m_bookmarks->show(*bookmarks);
    addMenus(
        *menuBar(), m_actions, workspace().paneActions(), [this](const QString& path) { m_files.open(path); }, m_preferences,
        *bookmarks);
    workspace().follow(m_preferences);
    m_search = addToolBars(*this, m_actions, m_document, m_jobs);
    m_refusal = new SplitRefusal(m_document, *this);
    m_status = std::make_unique<StatusLine>(*statusBar(), m_document, m_jobs);
    m_crashOffer = new CrashOffer(*crashes, this);
    m_last = new LastSession(m_document, m_workflow, sourcePane(), m_work->assumedSizes(), this);
    m_disk = new DiskNotices(m_document, m_workflow, m_work->modelNotice(), m_work->tagsNotice(), *this);
}

void MainWindow::buildProject()
{
    m_project = new Project({m_document, m_workflow, m_jobs, m_work->assumedSizes(), m_operators, workspace(), *m_bookmarks},
                            this);
    m_files.setState([this] { return m_project->state(); });
    m_autosave = new Autosave(m_document, [this] { return m_project->state(); }, this);
    m_recovery = new RecoveryOffer(
        *m_recoveryBar, m_document, *m_autosave, [this](const QString& path) { m_files.open(path); }, this);
    m_projectOffer = new ProjectOffer(*m_projectBar, m_document, m_files, m_workflow, this);
    m_repairs = new RepairOffer(*m_repairBar, m_document, m_jobs, *this);
    connect(m_repairs, &RepairOffer::message, this, &MainWindow::say);
    connect(m_project, &Project::message, this, &MainWindow::say);
    connect(m_bookmarks.get(), &Bookmarks::message, this, &MainWindow::say);
    connect(m_autosave, &Autosave::failed, this, &MainWindow::say);
    connect(&m_files, &ModelFiles::handedOpened, this, &MainWindow::showState);
    connect(&m_workflow, &Workflow::projectOpened, m_recovery, &RecoveryOffer::noteOpened);
    connect(&m_workflow, &Workflow::recovered, m_recovery, &RecoveryOffer::sayRecovered);
    connect(m_recovery, &RecoveryOffer::said, this, &MainWindow::sayUntil);
}

MainWindow::~MainWindow()
{
    delete m_disk;
    delete m_autosave; // finishes its write while the objects it needs still exist
    // Views refer to the document, but members are destroyed before child widgets.
    m_document.disconnect();
    m_jobs.disconnect();
    delete takeCentralWidget();
}

void MainWindow::openModel(const QString& path)
{
    m_files.open(path);
}

void MainWindow::reopenLastSession()
{
    if (m_preferences.reopens())
        m_last->restore([this](const QString& path) { m_files.open(path); });
}

void MainWindow::offerCrashReports(const QString& path)
{
    m_crashOffer->look(path);
}

void MainWindow::offerUnsavedWork()
{
    m_recovery->look(unsavedFolder());
}

bool MainWindow::showsWelcome() const
{
    return m_stack->currentWidget() == m_welcome;
}

// Display ----------------------------------------------------------------------------------------

void MainWindow::documentChanged(Changes what)
{
    if (what.testFlag(Change::outcome) && !m_document.runs().allShown().empty())
        sourcePane().canvas().setLegendVisible(false); // the legend does not fit into half a window
    if (what.testFlag(Change::opened)) { // the first click into another model must not paint
        m_actions.tool[static_cast<std::size_t>(ToolKind::select)]->setChecked(true);
        sourcePane().canvas().setTool(ToolKind::select);
    }
    showState();
}

void MainWindow::showState()
{
    const bool open = m_document.isOpen();
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_work) : m_welcome);
    setWindowTitle(windowTitleOf(m_document, m_files.isHandedOpen()));
    setWindowModified(open && m_document.isModified());
    showWhatIsPossible(m_actions, m_document);
    const int errors = m_work->problems().model().count(Severity::error);
    const int warnings = m_work->problems().model().count(Severity::warning);
    m_status->showCounts(errors, warnings);
    m_work->showProblemCount(open ? errors + warnings : 0);
}

void MainWindow::sayUntil(const QString& text, Changes until)
{
    m_work->log().add(text);
    m_status->say(text, until);
}

void MainWindow::complain(const QString& title, const QString& why, const QString& next)
{
    m_work->log().add(QStringLiteral("%1: %2").arg(title, why));
    const QString shown = brief(visible(title));
    QWidget* modal = QApplication::activeModalWidget(); // closing the message gives the focus back to this dialog
    auto* box = new MessageDialog(shown, shown, withShortWords(visible(why)), modal != nullptr ? modal : this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offerToLeave(tr("Close"), true);
    if (QAction* command = next.isEmpty() ? nullptr : findChild<QAction*>(next))
        box->offer(command->text(), [command] { command->trigger(); }, command->toolTip());
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

/// Goes to the next or previous problem, from any focus.
void MainWindow::goToProblem(int by)
{
    m_actions.showBottom->setChecked(true);
    m_work->showProblems();
    const QString sentence = m_work->problems().step(by);
    say(sentence.isEmpty() ? tr("No problems. Ready to split.") : sentence);
}

/// Asks before an op moved in a partition replaces existing tags with the parts of the partition.
void MainWindow::askForReplacement(const QString& move, const std::function<void()>& replace)
{
    auto* box = new MessageDialog(
        tr("Convert to tags"), tr("The partition would replace your tags."),
        tr("%1. The parts of the changed partition become your tags. Undo restores the previous ones.").arg(move), this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("Convert to tags"), replace);
    box->offerToLeave(tr("Cancel"));
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

/// Returns the stops of Ctrl+Tab: the bars at the top, panes, and panels.
std::vector<QWidget*> MainWindow::areas() const
{
    std::vector<QWidget*> areas;
    const QLayout& column = *centralWidget()->layout();
    for (int i = 0; i < column.count(); ++i)
        if (QWidget* bar = column.itemAt(i)->widget(); bar != m_stack && bar->isVisible())
            areas.push_back(bar);
    const std::vector<QWidget*> below = m_work->areas();
    areas.insert(areas.end(), below.begin(), below.end());
    return areas;
}

void MainWindow::focusGraph()
{
    workspace().raiseSource();
    sourcePane().view().takeFocus(); // not the canvas, which is hidden until the first drawing of a model is ready
}

/// Focuses the search field. If it is not visible (on the welcome page), typed keys do not become commands.
void MainWindow::goToSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
    m_awaited->expectIn(*m_search);
}

void MainWindow::renameTag()
{
    m_actions.showSide->setChecked(true);
    m_work->tags().renameActive();
    if (m_document.activeTag() >= 0)
        m_awaited->expectIn(m_work->tags());
}

// Dialogs ----------------------------------------------------------------------------------------

void MainWindow::showTagging(TaggingRequest::Way way)
{
    auto* dialog = new TaggingDialog(m_document, m_jobs, {.way = way}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TaggingDialog::proposed, this, [this](const TaggingProposal* proposal) {
        workspace().source().showProposal(proposal == nullptr ? nullptr : &proposal->tags);
    });
    connect(dialog, &TaggingDialog::taken, this, [this](const TaggingRequest& wish, const TagAssignment& before) {
        m_stepCommands->note(taggingCommand(m_document.graph(), wish, before));
    });
    dialog->open();
}

void MainWindow::showOperators()
{
    auto* dialog = new OperatorsDialog(m_operators, m_document, m_jobs, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showExport(Pane* front)
{
    if (!m_document.isOpen())
        return;
    auto* dialog = new ExportDialog(exportSubjectOf(m_document, workspace(), front), m_jobs, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::message, this, &MainWindow::say);
    connect(dialog, &ExportDialog::written, this, &rememberExportFolder);
    connect(dialog, &ExportDialog::cutAgainRequested, this, &MainWindow::cutAgain);
    connect(&m_document, &Document::changed, dialog, [this, dialog, front](Changes what) {
        if (what.testFlag(Change::outcome))
            dialog->setSubject(exportSubjectOf(m_document, workspace(), front));
    });
    dialog->open();
}

void MainWindow::showSelectionMenu(const QPoint& globalPosition, const QString& module, const std::vector<NodeId>& nodes)
{
    QMenu menu(this);
    fillSelectionMenu(menu, m_document, m_actions, regionsPane(), {sourcePane().view(), module, nodes});
    menu.exec(globalPosition);
}

void MainWindow::showRepairs(int mark, const QPoint& globalPosition)
{
    const auto& marks = sourcePane().canvas().pictureStyle().backward;
    if (mark < 0 || static_cast<std::size_t>(mark) >= marks.size())
        return;
    QMenu menu(this);
    fillRepairMenu(menu, m_document, marks[static_cast<std::size_t>(mark)]);
    if (!menu.isEmpty())
        menu.exec(globalPosition);
}

// Events ------------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files.mayClose()) {
        event->ignore();
        return;
    }
    remember();
    m_autosave->drop();
    m_jobs.cancelAll();
    event->accept();
}

void MainWindow::endNow()
{
    if (m_files.handTags())
        m_autosave->drop();
    else
        m_autosave->writeLast();
    remember();
    m_jobs.cancelAll();
}

void MainWindow::remember()
{
    saveWindow(*this, *m_work, m_actions, m_document);
    if (!m_files.handsTags())
        m_last->save();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (localFileIn(*event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    m_welcome->setDropping(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_welcome->setDropping(false);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_welcome->setDropping(false);
    const QString path = localFileIn(*event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    m_files.openDropped(path);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_work != nullptr)
        workspace().refreshTheme();
}

bool MainWindow::focusNextPrevChild(bool next)
{
    const QWidget* before = focusWidget();
    do {
        if (!QMainWindow::focusNextPrevChild(next))
            return false;
    } while (focusWidget() != before && focusWidget() != nullptr && !isInSight(*focusWidget()));
    return true;
}

} // namespace sunder

#include "moc_main_window.cpp"
