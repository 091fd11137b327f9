#include "app/main_window.h"

#include "app/awaited_focus.h"
#include "app/plain_texts.h"
#include "app/workspace.h"
#include "dialogs/stages_dialog.h"
#include "document/text.h"
#include "models/problem_model.h"
#include "models/tag_style_of.h"
#include "panels/devices_panel.h"
#include "panels/log_panel.h"
#include "panels/outline_panel.h"
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
#include "text/amounts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kMessageMs = 8000;
constexpr int kMostSaid = 160; ///< characters in the status line; the log has all

/// "[*]" in a title stands for the mark of what is not saved.
QString inTitle(const QString& name)
{
    return brief(visible(name)).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
}

} // namespace

MainWindow::MainWindow(Appearance* appearance, QWidget* parent)
    : QMainWindow(parent), m_appearance(appearance), m_document(&m_jobs), m_workflow(m_document, m_jobs),
      m_operators(m_document, m_jobs), m_returnedMemory(m_document, m_jobs), m_actions(this, m_document.undoStack())
{
    keepTextsPlain();
    m_awaited = new AwaitedFocus(this);
    setAcceptDrops(true);
    buildPanels();
    buildMenus();
    buildToolBar();
    buildStatusBar();
    connectActions();

    connect(&m_document, &Document::changed, this, &MainWindow::documentChanged);
    connect(&m_workflow, &Workflow::message, this, &MainWindow::say);
    connect(&m_workflow, &Workflow::failed, this, &MainWindow::complain);
    connect(&m_workflow, &Workflow::openFailed, this, &MainWindow::openFailed);
    connect(&m_workflow, &Workflow::programWanted, this, &MainWindow::chooseProgram);
    connect(&m_workflow, &Workflow::opened, this, [this](const QString& path) {
        remember(path);
        if (!m_search->hasFocus()) // somebody may be typing there
            m_source->canvas().setFocus();
    });
    connect(&m_workflow, &Workflow::splitRefused, this, &MainWindow::splitRefused);
    connect(&m_jobs, &Jobs::ended, this, [this](const JobInfo& info) {
        if (info.state == JobState::failed)
            m_log->add(tr("%1 failed: %2").arg(info.title, info.message));
    });
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::chooseModel);
    connect(m_welcome, &WelcomePage::fileRequested, this, &MainWindow::openModel);
    connect(m_outline, &OutlinePanel::activated, this,
            [this](const QString& path, const std::vector<NodeId>& nodes) { m_source->view().openTowards(path, nodes); });
    connect(m_outline, &OutlinePanel::menuRequested, this, &MainWindow::showSelectionMenu);
    connect(m_problems, &ProblemsPanel::emptied, this, [this] { m_source->canvas().setFocus(); });
    connect(m_tags, &TagsPanel::message, this, &MainWindow::say);
    connect(m_devices, &DevicesPanel::message, this, &MainWindow::say);
    connect(m_devices, &DevicesPanel::failed, this, &MainWindow::complain);
    connect(m_search, &SearchField::found, &m_document, &Document::setFound);
    connect(m_source, &SourcePane::pictureShown, this, [this] {
        if (m_sinceOpening.isValid())
            m_log->add(tr("First picture %1 ms after opening began.").arg(m_sinceOpening.elapsed()));
        m_sinceOpening.invalidate();
    });
    connect(m_source, &SourcePane::menuRequested, this, &MainWindow::showSelectionMenu);
    connect(m_source, &SourcePane::repairsRequested, this, &MainWindow::showRepairs);
    connect(m_runs, &RunsPanel::compareRequested, m_panes, &Workspace::compare);
    connect(m_runs, &RunsPanel::message, this, &MainWindow::say);
    connect(m_panes, &Workspace::message, this, &MainWindow::say);
    connect(&m_panes->partitionDag(), &PartitionDagPane::splitRequested, m_actions.pass(QStringLiteral("split")),
            &QAction::trigger);
    connect(m_runs, &RunsPanel::runAgainRequested, this, &MainWindow::runAgain);
    connect(m_panes, &Workspace::exportRequested, this, &MainWindow::showExport);
    if (m_appearance != nullptr)
        connect(m_appearance, &Appearance::changed, m_panes, &Workspace::refreshTheme);
    m_source->canvas().setLegendVisible(!QSettings().value(QStringLiteral("legendDismissed")).toBool());
    connect(&m_source->canvas(), &CanvasWidget::legendDismissed, this,
            [] { QSettings().setValue(QStringLiteral("legendDismissed"), true); });
    connectDiskWatch();
    connectOperators();
    restoreLayout();
    refreshWelcome();
    showState();
}

MainWindow::~MainWindow()
{
    // Views look at the document until they are gone, and members go before child widgets do.
    m_document.disconnect();
    m_jobs.disconnect();
    delete takeCentralWidget();
}

SourcePane& MainWindow::sourcePane()
{
    return m_panes->source();
}

SubmodulesPane& MainWindow::submodulesPane()
{
    return m_panes->submodules();
}

RegionsPane& MainWindow::regionsPane()
{
    return m_panes->regions();
}

HierarchyPane& MainWindow::hierarchyPane()
{
    return m_panes->hierarchy();
}

bool MainWindow::showsWelcome() const
{
    return m_stack->currentWidget() == m_welcome;
}

// Showing -----------------------------------------------------------------------------------------

void MainWindow::documentChanged(Changes what)
{
    if (what.testFlag(Change::outcome) && m_document.shownSplit())
        m_source->canvas().setLegendVisible(false); // half a window is too narrow for it
    showState();
}

void MainWindow::showState()
{
    const bool open = m_document.isOpen();
    m_stack->setCurrentWidget(open ? static_cast<QWidget*>(m_workspace) : m_welcome);
    const QString name = inTitle(m_document.displayName());
    setWindowTitle(!open ? tr("Sunder")
                       : m_document.programName().isEmpty()
                       ? tr("%1[*] — Sunder").arg(name)
                       : tr("%1[*] (%2) — Sunder").arg(name, inTitle(QFileInfo(m_document.filePath()).fileName())));
    setWindowModified(open && m_document.isModified());
    const bool anySelected = !m_document.selection().source.empty();
    for (QAction* action :
         {m_actions.openTags,     m_actions.saveTags,   m_actions.saveTagsAs, m_actions.exportAll,   m_actions.close,
          m_actions.selectAll,    m_actions.find,       m_actions.fit,        m_actions.zoomIn,      m_actions.zoomOut,
          m_actions.openAll,      m_actions.foldAll,    m_actions.up,         m_actions.largerBrush, m_actions.smallerBrush,
          m_actions.nextUntagged, m_actions.fillIn,     m_actions.stages,     m_actions.eraseAll,    m_actions.addTag,
          m_actions.showSide,     m_actions.showBottom, m_actions.showRuns})
        action->setEnabled(open);
    for (QAction* action : m_actions.arrange)
        action->setEnabled(open);
    for (const PassAction& pass : m_actions.passes)
        pass.action->setEnabled(open);
    m_actions.otherProgram->setEnabled(open && !m_document.programName().isEmpty());
    m_actions.tools->setEnabled(open);
    for (QAction* action : {m_actions.paintSelection, m_actions.eraseSelection, m_actions.clearSelection})
        action->setEnabled(open && anySelected);
    m_actions.paintSelection->setEnabled(open && anySelected && m_document.activeTag() >= 0);
    m_actions.renameTag->setEnabled(open && m_document.activeTag() >= 0);
    m_actions.removeTag->setEnabled(open && m_document.activeTag() >= 0);
    m_actions.closeResult->setEnabled(!m_document.shownRuns().empty());
    showStatus();
}

void MainWindow::showStatus()
{
    if (!m_document.isOpen()) {
        m_counts->clear();
        m_speed->clear();
        m_bottom->setTabText(0, tr("Problems"));
        return;
    }
    const auto ops = m_document.snapshot()->callCount;
    const auto untagged = m_document.report().untagged.size();
    const auto percent = ops == 0 ? 100 : (ops - untagged) * 100 / ops;
    const int errors = m_problems->model().count(Severity::error);
    const int warnings = m_problems->model().count(Severity::warning);
    QStringList parts{countText(ops, "op"), tr("%1 % tagged").arg(percent)};
    parts << (errors == 0 ? tr("no errors") : countText(static_cast<std::uint64_t>(errors), "error"));
    if (warnings > 0)
        parts.back() += tr(", %1").arg(countText(static_cast<std::uint64_t>(warnings), "warning"));
    m_counts->setText(parts.join(QStringLiteral(" · ")));
    m_speed->setText(tr("checked in %1 ms").arg(m_document.checkMilliseconds(), 0, 'f', 1));
    m_speed->setToolTip(tr("How long the last check of the tags took"));
    const int problems = errors + warnings;
    m_bottom->setTabText(0, problems == 0 ? tr("Problems") : tr("Problems %1").arg(problems));
}

void MainWindow::say(const QString& text)
{
    m_log->add(text);
    m_message->setText(brief(visible(text), kMostSaid));
    m_message->setToolTip(folded(visible(text)));
    m_messageTime->start(kMessageMs);
}

void MainWindow::complain(const QString& title, const QString& why)
{
    m_log->add(QStringLiteral("%1: %2").arg(title, why));
    const QString shown = brief(visible(title));
    auto* box = new QMessageBox(QMessageBox::Warning, shown, shown, QMessageBox::Ok, this);
    box->setInformativeText(withShortWords(visible(why)));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open(); // not exec(): jobs go on, and tests can look at it
}

// Tools -------------------------------------------------------------------------------------------

void MainWindow::showStages()
{
    StagesDialog dialog(static_cast<int>(m_document.snapshot()->callCount), this);
    if (dialog.exec() == QDialog::Accepted)
        m_workflow.tagInStages(dialog.count(), dialog.byBytes());
}

void MainWindow::setTool(ToolKind tool)
{
    m_source->canvas().setTool(tool);
    m_source->canvas().setFocus();
}

Pane& MainWindow::paneInFront() const
{
    Pane* pane = nullptr;
    for (QWidget* at = QApplication::focusWidget(); at != nullptr && pane == nullptr;
         at = at->parentWidget()) { // docks may be windows
        pane = qobject_cast<Pane*>(at);
        if (auto* header = qobject_cast<PaneHeader*>(at)) // the title bar of a dock
            pane = &header->pane();
    }
    return pane != nullptr && pane->zooms() ? *pane : *m_source;
}

GraphView& MainWindow::graphInFront() const
{
    for (QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget())
        if (auto* view = qobject_cast<GraphView*>(at)) // of a pane with several
            return *view;
    GraphView* view = paneInFront().graphInFront();
    return view != nullptr ? *view : m_source->view();
}

// Events ------------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayLoseTags()) {
        event->ignore();
        return;
    }
    saveLayout();
    m_jobs.cancelAll();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_source != nullptr) {
        m_panes->refreshTheme();
    }
}

bool MainWindow::focusNextPrevChild(bool next)
{
    const QWidget* before = focusWidget();
    do {
        if (!QMainWindow::focusNextPrevChild(next))
            return false;
    } while (focusWidget() != before && focusWidget() != nullptr && focusWidget()->visibleRegion().isEmpty());
    return true;
}

} // namespace sunder
