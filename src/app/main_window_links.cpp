// Signal connections of MainWindow.

#include "app/awaited_focus.h"
#include "app/copying.h"
#include "app/crash_offer.h"
#include "app/disk_notices.h"
#include "app/document_commands.h"
#include "app/focus_areas.h"
#include "app/graph_menus.h"
#include "app/key_groups.h"
#include "app/last_session.h"
#include "app/main_window.h"
#include "app/navigation_actions.h"
#include "app/note_commands.h"
#include "app/repair_offer.h"
#include "app/status_line.h"
#include "app/step_commands.h"
#include "app/tag_list_commands.h"
#include "app/view_commands.h"
#include "app/welcome_models.h"
#include "app/window_settings.h"
#include "dialogs/about_dialog.h"
#include "dialogs/device_preset_dialog.h"
#include "dialogs/export_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/legend_dialog.h"
#include "dialogs/message_dialog.h"
#include "dialogs/units_dialog.h"
#include "document/assumed_sizes.h"
#include "document/document.h"
#include "document/text.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/log_panel.h"
#include "panels/matches_panel.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/rules_panel.h"
#include "panels/runs_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "panels/welcome_page.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/source_pane.h"

#include <QMenu>
#include <QMenuBar>
#include <QSettings>

namespace sunder {

class DevicesPanel;
class Document;

/// Reports why a device file was rejected and offers to choose another file or clear the table.
void offerOtherDevices(const QString& why, DevicesPanel& panel, Document& document, QWidget& window)
{
    const QString title = QObject::tr("The devices were not imported");
    const QString said = QObject::tr("%1\n\nThe device table is unchanged.").arg(withShortWords(visible(why)));
    auto* box = new MessageDialog(title, title, said, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(QObject::tr("Choose another file…"), [&panel] { panel.chooseImport(); });
    if (!document.devices().list().empty())
        box->offerLoss(
            QObject::tr("Clear the table"), [&document] { document.devices().set({}, QObject::tr("Clear the device table")); },
            QObject::tr("Remove all devices; undo restores them"));
    box->open(); // open() instead of exec(): jobs continue
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::changed, this, &MainWindow::documentChanged);
    connect(&m_workflow, &Workflow::message, this, &MainWindow::say);
    connect(&m_workflow, &Workflow::failed, this, &MainWindow::complain);
    connect(&m_workflow, &Workflow::splitRefused, this, &MainWindow::splitRefused);
    connect(&m_workflow, &Workflow::opened, this, [this] {
        if (!m_search->hasFocus()) // the user may be typing there
            focusGraph();
    });
    connect(m_crashOffer, &CrashOffer::failed, this, &MainWindow::complainOf);
    connect(m_last, &LastSession::message, this, &MainWindow::say);
    connect(&m_files, &ModelFiles::failed, this, &MainWindow::complain);
    connect(&m_files, &ModelFiles::recentChanged, this, [this] { showModels(*m_welcome); });
    connect(&m_files, &ModelFiles::openingBegan, this, [this] { m_sinceOpening.start(); });
    connect(m_disk, &DiskNotices::noted, &m_work->log(), &LogPanel::add);
    connect(m_disk, &DiskNotices::projectWanted, &m_files, &ModelFiles::open);
    connect(m_disk, &DiskNotices::left, this, &MainWindow::focusGraph);
    connect(&m_jobs, &Jobs::ended, this, [this](const JobInfo& info) {
        if (info.state == JobState::failed)
            m_work->log().add(tr("%1 failed: %2").arg(info.title, info.message));
    });
    connect(&m_jobs, &Jobs::canceled, this, [this](const JobInfo& info) { say(tr("%1: canceled.").arg(info.title)); });
}

void MainWindow::connectPanels()
{
    connect(m_welcome, &WelcomePage::openRequested, &m_files, &ModelFiles::chooseModel);
    connect(m_welcome, &WelcomePage::fileRequested, &m_files, &ModelFiles::open);
    connect(&m_work->outline(), &OutlinePanel::activated, this,
            [this](const QString& path, const std::vector<NodeId>& nodes) { sourcePane().view().openTowards(path, nodes); });
    connect(&m_work->outline(), &OutlinePanel::menuRequested, this, &MainWindow::showSelectionMenu);
    connect(&m_work->problems(), &ProblemsPanel::emptied, this, &MainWindow::focusGraph);
    connect(&m_work->problems(), &ProblemsPanel::repairAllRequested, m_actions.repairAll, &QAction::trigger);
    connect(&m_work->assumedSizes(), &AssumedSizes::message, this, &MainWindow::say);
    connect(&m_work->assumedSizes(), &AssumedSizes::failed, this, &MainWindow::complainOf);
    connect(&m_work->tags(), &TagsPanel::message, this, &MainWindow::say);
    connect(&m_document, &Document::said, this, &MainWindow::sayUntil);
    connect(&m_work->devices(), &DevicesPanel::message, this, &MainWindow::say);
    connect(&m_work->devices(), &DevicesPanel::failed, this, &MainWindow::complainOf);
    connect(&m_work->devices(), &DevicesPanel::unitsWanted, this, [this](const QString& rows) {
        auto* dialog = new UnitsDialog(rows.toStdString(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, &m_work->devices(),
                [this, dialog, rows] { m_work->devices().pasteRows(rows, dialog->units()); });
        dialog->open(); // open() instead of exec(): jobs continue
    });
    connect(&m_work->devices(), &DevicesPanel::presetsWanted, this, [this] {
        auto* dialog = new DevicePresetDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, &m_work->devices(), [this, dialog] {
            if (const DevicePreset* preset = dialog->preset())
                m_work->devices().addPreset(*preset, dialog->count());
        });
        dialog->open();
    });
    connect(&m_work->devices(), &DevicesPanel::answered, this, &MainWindow::answer);
    connect(&m_work->devices(), &DevicesPanel::importFailed, this, [this](const QString& why) {
        m_work->log().add(why);
        offerOtherDevices(why, m_work->devices(), m_document, *this);
    });
    connect(&m_workflow, &Workflow::madeOfEarlier, &m_work->assumedSizes(), &AssumedSizes::catchUp);
    connect(m_search, &SearchField::found, &m_document.marks(), &Marks::setFound);
    connect(m_search, &SearchField::chosen, this, [this](NodeId node) { sourcePane().view().openTowards({}, {node}); });
    connect(&m_work->runs(), &RunsPanel::compareRequested, &workspace(), &Workspace::compare);
    connect(&m_work->runs(), &RunsPanel::message, this, &MainWindow::say);
    connectCopying(m_actions, m_document, m_operators, *m_stepCommands, *m_work, [this](const QString& text) { say(text); });
    connect(&m_work->runs(), &RunsPanel::runAgainRequested, &m_passes, &PassRequests::runAgain);
}

void MainWindow::connectSource()
{
    SourcePane* source = &sourcePane();
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
    connect(source, &SourcePane::menuRequested, this, &MainWindow::showSelectionMenu);
    connect(source, &SourcePane::message, this, &MainWindow::say);
    connect(source, &SourcePane::repairsRequested, this, &MainWindow::showRepairs);
    source->canvas().setLegendVisible(!QSettings().value(QStringLiteral("legendDismissed")).toBool());
    connect(&source->canvas(), &CanvasWidget::legendDismissed, this,
            [] { QSettings().setValue(QStringLiteral("legendDismissed"), true); });
}

void MainWindow::connectPanes()
{
    Workspace* panes = &workspace();
    connect(panes, &Workspace::message, this, &MainWindow::say);
    connect(panes, &Workspace::edgeMenuRequested, this, [this](const QPoint& globalPosition) {
        QMenu menu(this);
        fillEdgeMenu(menu, m_document);
        if (!menu.isEmpty())
            menu.exec(globalPosition);
    });
    connect(panes, &Workspace::runRequested, &m_passes, &PassRequests::runWith);
    connect(panes, &Workspace::runAgainRequested, &m_passes, &PassRequests::runAgain);
    connect(panes, &Workspace::exportRequested, this, &MainWindow::showExport);
    connect(&panes->partitionDag(), &PartitionDagPane::answered, this, &MainWindow::answer);
    connect(&panes->partitionDag(), &PartitionDagPane::partitionRequested, &m_workflow, &Workflow::partition);
    connect(&panes->partitionDag(), &PartitionDagPane::replacementAsked, this, &MainWindow::askForReplacement);
    connect(&panes->partitionDag(), &PartitionDagPane::splitRequested, m_actions.pass(QStringLiteral("split")),
            &QAction::trigger);
}

void MainWindow::connectOperators()
{
    const QString key = QStringLiteral("operators/file");
    connect(&m_operators, &CustomOperators::changed, this, [this, key] {
        QSettings().setValue(key, m_operators.path());
        m_workflow.setOperators(m_operators.library());
    });
    connect(&m_operators, &CustomOperators::message, this, &MainWindow::say);
    connect(&m_operators, &CustomOperators::failed, this,
            [this](const QString& title, const QString& why) { complain(title, why, m_actions.customOperators->objectName()); });
    m_operators.restore(QSettings().value(key).toString());
}

void MainWindow::connectActions()
{
    for (QAction* action : m_actions.painting)
        for (QWidget* widget : {static_cast<QWidget*>(&workspace()), static_cast<QWidget*>(&m_work->outline())})
            widget->addAction(action);
    connectDocumentCommands(m_actions, m_document);
    connectTagList(m_actions, m_document, *this);
    connectViewCommands(m_actions, workspace());
    connectNotes(m_actions, m_document, sourcePane(), *this);
    connectZoomField(m_status->zoom(), workspace());
    connectGoing(m_actions, m_document, workspace(), *this);
    connectWindowActions();
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(m_actions.exportAll, [this] { showExport(); });
    on(m_actions.quit, [this] { close(); });
    on(m_actions.find, [this] { goToSearch(); });
    on(m_actions.nextUntagged, [this] {
        if (!m_document.marks().selectNextUntagged())
            say(tr("Every op has a tag."));
    });
    on(m_actions.stages, [this] { showTagging(TaggingRequest::Way::equalStages); });
    on(m_actions.nextProblem, [this] { goToProblem(1); });
    on(m_actions.problemBefore, [this] { goToProblem(-1); });
    on(m_actions.whyHere, [this] { answerWhyHere(); });
    on(m_actions.repairAll, [this] { m_repairs->search(); });
    on(m_actions.straighten, [this] { showTagging(TaggingRequest::Way::straighten); });
    connect(&sourcePane(), &SourcePane::straightenRequested, m_actions.straighten, &QAction::trigger);
    on(m_actions.renameTag, [this] { renameTag(); });
    on(m_actions.tagCode, [this] {
        m_actions.showSide->setChecked(true);
        m_work->tags().editActiveCode();
        m_awaited->expectIn(m_work->tags());
    });
    on(m_actions.customOperators, [this] { showOperators(); });
    on(m_actions.tutorial, [this] { HelpDialog::show(QStringLiteral("first-cut"), *this); });
    on(m_actions.documentation, [this] { HelpDialog::show(QStringLiteral("index"), *this); });
    on(m_actions.reference, [this] { HelpDialog::show(QStringLiteral("command-line"), *this); });
    on(m_actions.gestures, [this] { KeysDialog(keyGroups(*menuBar()), this).exec(); });
    on(m_actions.legend, [this] {
        auto* dialog = findChild<LegendDialog*>();
        if (dialog == nullptr)
            dialog = new LegendDialog(this);
        dialog->show(); // non-modal
        dialog->raise();
    });
    on(m_actions.about, [this] { AboutDialog(this).exec(); });
}

void MainWindow::connectWindowActions()
{
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    connect(m_actions.showSide, &QAction::toggled, m_work, &WorkArea::setSideVisible);
    connect(m_actions.showBottom, &QAction::toggled, m_work, &WorkArea::setBottomVisible);
    on(m_actions.showRuns, [this] {
        m_actions.showBottom->setChecked(true);
        m_work->showRuns();
    });
    on(m_actions.showSteps, [this] {
        m_actions.showBottom->setChecked(true);
        m_work->showSteps();
    });
    const auto showMatches = [this] {
        m_actions.showBottom->setChecked(true);
        m_work->showMatches();
    };
    on(m_actions.showMatches, showMatches);
    connect(&m_work->matches(), &MatchesPanel::arrived, this, showMatches);
    on(m_actions.showRules, [this] {
        m_actions.showBottom->setChecked(true);
        m_work->showRules();
    });
    connect(&m_work->inspector(), &InspectorPanel::failed, this, &MainWindow::complainOf);
    connect(&m_work->inspector(), &InspectorPanel::message, this, &MainWindow::say);
    connect(&m_work->rules(), &RulesPanel::failed, this, &MainWindow::complainOf);
    connect(&m_work->rules(), &RulesPanel::message, this, &MainWindow::say);
    for (std::size_t i = 0; i < m_actions.arrange.size(); ++i)
        on(m_actions.arrange[i], [this, i] { workspace().arrange(arrangements()[i]); });
    on(m_actions.nextArea, [this] { stepFocus(areas(), 1); });
    on(m_actions.previousArea, [this] { stepFocus(areas(), -1); });
    on(m_actions.resetLayout, [this] { resetWindow(*this, *m_work, m_actions); });
}

} // namespace sunder
