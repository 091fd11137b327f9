#include "app/main_window.h"

#include "app/bookmarks.h"
#include "app/copying.h"
#include "app/crash_offer.h"
#include "app/dialog_room.h"
#include "app/document_commands.h"
#include "app/graph_menus.h"
#include "app/keyboard_focus.h"
#include "app/menus.h"
#include "app/messages.h"
#include "app/navigation_actions.h"
#include "app/note_commands.h"
#include "app/plain_texts.h"
#include "app/repair_offer.h"
#include "app/session_dialogs.h"
#include "app/session_files.h"
#include "app/settings_command.h"
#include "app/split_refusal.h"
#include "app/status_line.h"
#include "app/step_commands.h"
#include "app/tag_list_commands.h"
#include "app/tool_bars.h"
#include "app/view_commands.h"
#include "app/welcome_models.h"
#include "app/window_commands.h"
#include "app/window_settings.h"
#include "app/window_title.h"
#include "app/work_area.h"
#include "app/workspace.h"
#include "document/assumed_sizes.h"
#include "models/problem_model.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/log_panel.h"
#include "panels/notice_bar.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/rules_panel.h"
#include "panels/runs_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "panels/welcome_page.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/source_pane.h"
#include "panes/timeline/timeline_pane.h"

#include <QCloseEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace sunder {

MainWindow::MainWindow(Appearance* appearance, QWidget* parent)
    : QMainWindow(parent), m_preferences(appearance), m_actions(this, m_session.document()),
      m_passes(m_session.document(), m_session.jobs(), m_session.workflow(), m_actions, *this)
{
    keepTextsPlain();
    setAcceptDrops(true);
    buildViews();
    buildBars();
    buildFiles();
    buildCommands();
    connectSession();
    connectFiles();
    connectSource();
    connectPanels();
    connectPanes();
    connectMessages();
    m_session.restoreOperators();
    fillCommandKeys(m_keys, *this);
    connectSettings(m_actions, m_preferences, m_keys, m_work->panes(), *this);
    restoreWindow(*this, *m_work, m_actions, m_session.document());
    showModels(*m_welcome);
    showState();
}

MainWindow::~MainWindow()
{
    delete m_files; // finishes its writes while the objects it needs still exist
    // Views refer to the document, but members are destroyed before child widgets.
    m_session.disconnectViews();
    delete takeCentralWidget();
}

// Parts ------------------------------------------------------------------------------------------

void MainWindow::buildViews()
{
    m_awaited = new AwaitedFocus(this);
    new ReturnedFocus(this);
    new DialogRoom(this);
    auto* middle = new QWidget(this);
    setCentralWidget(middle);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto addNotice = [&](const char* name) {
        auto* notice = new NoticeBar(QLatin1String(name), middle);
        column->addWidget(notice);
        return notice;
    };
    NoticeBar* crash = addNotice("crashNotice"); // topmost, and available before a model is opened
    m_recoveryNotice = addNotice("recoveryNotice");
    m_projectNotice = addNotice("projectNotice");
    NoticeBar* repair = addNotice("repairNotice");
    m_stack = new QStackedWidget(middle);
    column->addWidget(m_stack, 1);
    m_welcome = new WelcomePage(m_stack);
    m_work = new WorkArea(m_session.document(), m_session.jobs(), m_stack);
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_work);
    m_crashOffer = new CrashOffer(*crash, this);
    m_repairs = new RepairOffer(*repair, m_session.document(), m_session.jobs(), *this);
}

void MainWindow::buildBars()
{
    m_bookmarks = new Bookmarks(m_session.document(), m_work->panes().source(), m_actions, *this);
    auto* bookmarks = new QMenu(tr("&Bookmarks"), this);
    m_bookmarks->show(*bookmarks);
    addMenus(
        *menuBar(), m_actions, m_work->panes().paneActions(), [this](const QString& path) { openModel(path); }, m_preferences,
        *bookmarks);
    for (QAction* show : m_work->panes().paneActions())
        addAction(show); // the command palette lists the window's actions
    m_work->panes().follow(m_preferences);
    m_search = addToolBars(*this, m_actions, m_session.document(), m_session.jobs());
    new SplitRefusal(m_session, m_actions, *m_work, *this);
    m_status = std::make_unique<StatusLine>(*statusBar(), m_session.document(), m_session.jobs());
    m_messages = new Messages(m_work->log(), *m_status, *this);
}

void MainWindow::buildFiles()
{
    m_files = new SessionFiles(m_session, m_actions, {m_work->panes(), m_work->assumedSizes(), *m_bookmarks},
                               {*m_recoveryNotice, *m_projectNotice, m_work->modelNotice(), m_work->tagsNotice()}, *this);
}

void MainWindow::buildCommands()
{
    Document& document = m_session.document();
    for (QAction* action : m_actions.painting)
        for (QWidget* widget : {static_cast<QWidget*>(&m_work->panes()), static_cast<QWidget*>(&m_work->outline())})
            widget->addAction(action);
    m_stepCommands = new StepCommands(document, this);
    connectDocumentCommands(m_actions, document);
    connectTagList(m_actions, document, *this);
    connectViewCommands(m_actions, m_work->panes());
    connectNotes(m_actions, document, m_work->panes().source(), *this);
    connectZoomField(m_status->zoom(), m_work->panes());
    connectGoing(m_actions, document, m_work->panes(), *this);
    connectGraphMenus(m_actions, document, m_work->panes(), m_work->outline());
    connectCopying(m_actions, document, m_session.operators(), *m_stepCommands, *m_work,
                   [this](const QString& text) { m_messages->say(text); });
    new WindowCommands({m_session, m_actions, *m_work, *m_search, *m_awaited, *m_messages}, *this);
    new SessionDialogs({m_session, m_actions, *m_work, m_passes, *m_stepCommands, *m_messages}, *this);
    connect(m_actions.repairAll, &QAction::triggered, m_repairs, &RepairOffer::search);
}

// Connections ------------------------------------------------------------------------------------

void MainWindow::connectSession()
{
    connect(&m_session.document(), &Document::changed, this, &MainWindow::documentChanged);
    connect(&m_session.workflow(), &Workflow::opened, this, [this] {
        if (!m_search->hasFocus()) // the user may be typing there
            m_work->panes().focusSource();
    });
    connect(&m_session.workflow(), &Workflow::madeOfEarlier, &m_work->assumedSizes(), &AssumedSizes::catchUp);
    connect(&m_session.jobs(), &Jobs::ended, this, [this](const JobInfo& info) {
        if (info.state == JobState::failed)
            m_work->log().add(tr("%1 failed: %2").arg(info.title, info.message));
    });
    connect(&m_session.jobs(), &Jobs::canceled, m_messages,
            [this](const JobInfo& info) { m_messages->say(tr("%1: canceled.").arg(info.title)); });
}

void MainWindow::connectFiles()
{
    ModelFiles* models = &m_files->models();
    connect(models, &ModelFiles::recentChanged, this, [this] { showModels(*m_welcome); });
    connect(models, &ModelFiles::openingBegan, this, [this] { m_sinceOpening.start(); });
    connect(models, &ModelFiles::handedOpened, this, &MainWindow::showState);
    connect(m_files, &SessionFiles::noted, &m_work->log(), &LogPanel::add);
    connect(m_files, &SessionFiles::left, &m_work->panes(), &Workspace::focusSource);
    connect(m_welcome, &WelcomePage::openRequested, models, &ModelFiles::chooseModel);
    connect(m_welcome, &WelcomePage::fileRequested, models, &ModelFiles::open);
}

void MainWindow::connectSource()
{
    SourcePane* source = &m_work->panes().source();
    connect(source, &SourcePane::pictureShown, this, [this] {
        if (m_sinceOpening.isValid())
            m_work->log().add(tr("First drawing after %1 ms.").arg(m_sinceOpening.elapsed()));
        m_sinceOpening.invalidate();
    });
    SourceColors* colors = &source->colors();
    connect(colors, &SourceColors::colorsChanged, this, [this, colors] { // all views share the same color meaning
        m_work->outline().showCut(colors->cut());
        m_work->tags().showOtherColors(colors->run());
    });
    connect(&m_work->tags(), &TagsPanel::tagColorsWanted, colors, &SourceColors::showTags);
    connect(source, &SourcePane::straightenRequested, m_actions.straighten, &QAction::trigger);
    source->canvas().setLegendVisible(!QSettings().value(QStringLiteral("legendDismissed")).toBool());
    connect(&source->canvas(), &CanvasWidget::legendDismissed, this,
            [] { QSettings().setValue(QStringLiteral("legendDismissed"), true); });
}

void MainWindow::connectPanels()
{
    SourcePane* source = &m_work->panes().source();
    connect(&m_work->outline(), &OutlinePanel::activated, this,
            [source](const QString& path, const std::vector<NodeId>& nodes) { source->view().openTowards(path, nodes); });
    connect(&m_work->problems(), &ProblemsPanel::emptied, &m_work->panes(), &Workspace::focusSource);
    connect(&m_work->problems(), &ProblemsPanel::repairAllRequested, m_actions.repairAll, &QAction::trigger);
    connect(m_search, &SearchField::found, &m_session.document().marks(), &Marks::setFound);
    connect(m_search, &SearchField::chosen, this, [source](NodeId node) { source->view().openTowards({}, {node}); });
    connect(&m_work->runs(), &RunsPanel::compareRequested, &m_work->panes(), &Workspace::compare);
    connect(&m_work->runs(), &RunsPanel::runAgainRequested, &m_passes, &PassRequests::runAgain);
}

void MainWindow::connectPanes()
{
    Workspace* panes = &m_work->panes();
    connect(panes, &Workspace::runRequested, &m_passes, &PassRequests::runWith);
    connect(panes, &Workspace::runAgainRequested, &m_passes, &PassRequests::runAgain);
    PartitionDagPane* dag = &panes->partitionDag();
    connect(dag, &PartitionDagPane::answered, m_messages, &Messages::answer);
    connect(dag, &PartitionDagPane::partitionRequested, &m_session.workflow(), &Workflow::partition);
    connect(dag, &PartitionDagPane::replacementAsked, m_messages, &Messages::askForReplacement);
    connect(dag, &PartitionDagPane::splitRequested, m_actions.pass(QStringLiteral("split")), &QAction::trigger);
    connect(&panes->timeline(), &TimelinePane::balanceRequested, m_actions.balance, &QAction::trigger);
}

void MainWindow::connectMessages()
{
    const auto say = [this](auto* sender, auto signal) { connect(sender, signal, m_messages, &Messages::say); };
    say(&m_session.workflow(), &Workflow::message);
    say(&m_session.workflow(), &Workflow::splitRefused);
    say(&m_session.operators(), &CustomOperators::message);
    say(m_files, &SessionFiles::message);
    say(m_bookmarks, &Bookmarks::message);
    say(m_repairs, &RepairOffer::message);
    say(&m_work->assumedSizes(), &AssumedSizes::message);
    say(&m_work->tags(), &TagsPanel::message);
    say(&m_work->devices(), &DevicesPanel::message);
    say(&m_work->runs(), &RunsPanel::message);
    say(&m_work->inspector(), &InspectorPanel::message);
    say(&m_work->rules(), &RulesPanel::message);
    say(&m_work->panes(), &Workspace::message);
    say(&m_work->panes().source(), &SourcePane::message);
    connect(&m_session.document(), &Document::messageEmitted, m_messages, &Messages::showUntil);
    connect(m_files, &SessionFiles::messageEmitted, m_messages, &Messages::showUntil);
    connect(&m_work->devices(), &DevicesPanel::answered, m_messages, &Messages::answer);

    const auto complain = [this](auto* sender, auto signal) { connect(sender, signal, m_messages, &Messages::complainOf); };
    complain(m_crashOffer, &CrashOffer::failed);
    complain(&m_work->assumedSizes(), &AssumedSizes::failed);
    complain(&m_work->devices(), &DevicesPanel::failed);
    complain(&m_work->inspector(), &InspectorPanel::failed);
    complain(&m_work->rules(), &RulesPanel::failed);
    connect(&m_session.workflow(), &Workflow::failed, m_messages, &Messages::complain);
    connect(&m_files->models(), &ModelFiles::failed, m_messages, &Messages::complain);
    connect(&m_session.operators(), &CustomOperators::failed, m_messages, [this](const QString& title, const QString& why) {
        m_messages->complain(title, why, m_actions.customOperators->objectName());
    });
}

// State ------------------------------------------------------------------------------------------

void MainWindow::documentChanged(Changes what)
{
    CanvasWidget& canvas = m_work->panes().source().canvas();
    if (what.testFlag(Change::outcome) && !m_session.document().runs().allShown().empty())
        canvas.setLegendVisible(false); // the legend does not fit into half a window
    if (what.testFlag(Change::opened)) { // the first click into another model must not paint
        m_actions.tool[static_cast<std::size_t>(ToolKind::select)]->setChecked(true);
        canvas.setTool(ToolKind::select);
    }
    showState();
}

void MainWindow::showState()
{
    const Document& document = m_session.document();
    const bool open = document.isOpen();
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_work) : m_welcome);
    setWindowTitle(windowTitleOf(document, m_files->models().isHandedOpen()));
    setWindowModified(open && document.isModified());
    showWhatIsPossible(m_actions, document);
    const int errors = m_work->problems().model().count(Severity::error);
    const int warnings = m_work->problems().model().count(Severity::warning);
    m_status->showCounts(errors, warnings);
    m_work->showProblemCount(open ? errors + warnings : 0);
}

void MainWindow::openModel(const QString& path)
{
    m_files->models().open(path);
}

void MainWindow::reopenLastSession()
{
    if (m_preferences.reopens())
        m_files->reopenLast();
}

void MainWindow::offerCrashReports(const QString& path)
{
    m_crashOffer->offerFrom(path);
}

void MainWindow::offerUnsavedWork()
{
    m_files->offerUnsavedWork();
}

void MainWindow::handTagsTo(const QString& tagsOut, const QString& model)
{
    m_files->handTagsTo(tagsOut, model);
}

void MainWindow::endNow()
{
    m_files->endNow();
    saveWindow(*this, *m_work, m_actions, m_session.document());
    m_session.jobs().cancelAll();
}

// Events -----------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->models().mayClose()) {
        event->ignore();
        return;
    }
    saveWindow(*this, *m_work, m_actions, m_session.document());
    m_files->end();
    m_session.jobs().cancelAll();
    event->accept();
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
    m_files->models().openDropped(path);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_work != nullptr)
        m_work->panes().refreshTheme();
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
