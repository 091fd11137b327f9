#include "app/main_window.h"

#include "app/awaited_focus.h"
#include "app/focus_areas.h"
#include "app/samples.h"
#include "app/workspace.h"
#include "dialogs/about_dialog.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "models/look.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/active_tag_button.h"
#include "panels/outline_panel.h"
#include "panels/runs_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "panes/regions/regions_pane.h"
#include "panes/source_pane.h"
#include "panes/submodules/submodules_pane.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace sunder {
namespace {
constexpr double kMenuZoomStep = 1.25;
constexpr double kRadiusStep = 1.3;
} // namespace

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_actions.open);
    m_recentMenu = file->addMenu(tr("Open &recent"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    QMenu* samples = file->addMenu(tr("Open &sample"));
    for (const Sample& sample : sampleModels())
        samples->addAction(sample.title, this, [this, path = sample.path] { openModel(path); });
    samples->setEnabled(!samples->isEmpty());
    file->addAction(m_actions.otherProgram);
    file->addSeparator();
    file->addActions({m_actions.openTags, m_actions.saveTags, m_actions.saveTagsAs});
    file->addSeparator();
    file->addActions({m_actions.exportAll});
    file->addSeparator();
    file->addActions({m_actions.close, m_actions.quit});

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({m_actions.undo, m_actions.redo});
    edit->addSeparator();
    edit->addActions({m_actions.selectAll, m_actions.clearSelection, m_actions.find});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->addActions({m_actions.fit, m_actions.zoomIn, m_actions.zoomOut});
    view->addSeparator();
    view->addActions({m_actions.openAll, m_actions.foldAll, m_actions.up});
    view->addSeparator();
    buildAppearanceMenu(*view->addMenu(tr("&Appearance")));

    m_paintMenu = menuBar()->addMenu(tr("&Paint"));
    m_paintMenu->addActions(m_actions.tools->actions());
    m_paintMenu->addActions({m_actions.largerBrush, m_actions.smallerBrush});
    m_paintMenu->addSeparator();
    m_paintMenu->addActions({m_actions.paintSelection, m_actions.eraseSelection});
    m_paintMenu->addSeparator();
    m_paintMenu->addActions({m_actions.nextUntagged, m_actions.fillIn, m_actions.stages, m_actions.eraseAll});
    m_paintMenu->addSeparator();
    m_paintMenu->addActions({m_actions.addTag, m_actions.renameTag, m_actions.removeTag});

    buildPassMenu(*menuBar()->addMenu(tr("Pa&sses")));

    QMenu* windowMenu = menuBar()->addMenu(tr("&Window"));
    windowMenu->addActions(QList<QAction*>(m_actions.arrange.begin(), m_actions.arrange.end()));
    windowMenu->addSeparator();
    windowMenu->addActions({m_actions.showSide, m_actions.showBottom, m_actions.showRuns});
    for (QAction* action : m_panes->paneActions())
        windowMenu->addAction(action);
    windowMenu->addSeparator();
    windowMenu->addActions({m_actions.nextArea, m_actions.previousArea});
    windowMenu->addSeparator();
    windowMenu->addAction(m_actions.resetLayout);

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addActions({m_actions.gestures, m_actions.about});
}

void MainWindow::buildPassMenu(QMenu& menu)
{
    for (const PassAction& pass : m_actions.passes)
        menu.addAction(pass.action);
    menu.addSeparator();
    for (const PassAction& pass : m_actions.passes) {
        QMenu* options = pass.pass->asking == PassAsking::menu ? menu.addMenu(tr("%1 &options").arg(pass.pass->button)) : nullptr;
        for (const PassSwitch& option : m_actions.passSwitches)
            if (options != nullptr && option.pass == pass.pass)
                options->addAction(option.action);
        if (options != nullptr)
            options->setToolTipsVisible(true);
    }
    menu.addAction(m_actions.customOperators);
    menu.addSeparator();
    menu.addAction(m_actions.closeResult);
}

void MainWindow::buildAppearanceMenu(QMenu& menu)
{
    auto* group = new QActionGroup(this);
    const std::pair<QString, Appearance::Mode> modes[] = {{tr("As the &system"), Appearance::Mode::system},
                                                          {tr("&Light"), Appearance::Mode::light},
                                                          {tr("&Dark"), Appearance::Mode::dark}};
    for (const auto& [title, mode] : modes) {
        QAction* action = menu.addAction(title, this, [this, mode = mode] {
            QSettings().setValue(QStringLiteral("appearance"), Appearance::nameOf(mode));
            if (m_appearance != nullptr)
                m_appearance->setMode(mode);
        });
        action->setCheckable(true);
        action->setChecked(m_appearance != nullptr && m_appearance->mode() == mode);
        group->addAction(action);
    }
}

void MainWindow::buildToolBar()
{
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(bar);
    bar->addActions({m_actions.open, m_actions.saveTags, m_actions.exportAll});
    bar->addSeparator();
    bar->addActions({m_actions.undo, m_actions.redo});
    bar->addSeparator();
    bar->addActions(m_actions.tools->actions());
    bar->addSeparator();
    bar->addWidget(new ActiveTagButton(m_document, bar));
    bar->addSeparator();
    for (const auto& [pass, action] : m_actions.passes) {
        if (pass->button.isEmpty())
            continue;
        auto* button = new QToolButton(bar);
        setLook(*button, pass->isMain ? QStringLiteral("primary") : QStringLiteral("secondary"));
        button->setText(pass->button);
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
        connect(button, &QToolButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::enabledChanged, button, &QWidget::setEnabled);
        bar->addWidget(button);
    }
    buildSearchBar();
    if (auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) { // where the bar has no room
        more->setIcon(themedIcon(QStringLiteral("next")));
        more->setToolTip(tr("More commands"));
        more->setAccessibleName(more->toolTip());
    }
    for (QToolButton* button : bar->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        button->setFocusPolicy(Qt::TabFocus);
}

/// A bar of its own, behind the tools in the same line: where there is too little room, tools move into their overflow, but a
/// bar always shows its first widget.
void MainWindow::buildSearchBar()
{
    auto* bar = new QToolBar(tr("Search"), this);
    bar->setObjectName(QStringLiteral("searchBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* holder = new QWidget(bar);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    m_search = new SearchField(m_document, m_jobs, holder);
    row->addWidget(m_search, 1000); // all there is, up to its largest width
    bar->addWidget(holder);
    addToolBar(bar);
}

/// The field may be out of reach (a window that shows nothing but its welcome): then nothing that is typed is a command.
void MainWindow::goToSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
    m_awaited->expectIn(*m_search);
}

void MainWindow::renameTag()
{
    m_actions.showSide->setChecked(true);
    m_tags->renameActive();
    if (m_document.activeTag() >= 0)
        m_awaited->expectIn(*m_tags);
}

void MainWindow::connectActions()
{
    for (QAction* action : m_actions.painting)
        for (QWidget* widget : {static_cast<QWidget*>(m_panes), static_cast<QWidget*>(m_outline)})
            widget->addAction(action);

    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    CanvasWidget* canvas = &m_source->canvas();
    on(m_actions.open, [this] { chooseModel(); });
    on(m_actions.otherProgram, [this] {
        if (mayLoseTags())
            m_workflow.openModelFile(m_document.filePath());
    });
    on(m_actions.openTags, [this] { chooseTags(); });
    on(m_actions.saveTags, [this] { saveTags(false); });
    on(m_actions.saveTagsAs, [this] { saveTags(true); });
    on(m_actions.exportAll, [this] { showExport(); });
    on(m_actions.close, [this] {
        if (mayLoseTags())
            m_document.close();
    });
    on(m_actions.quit, [this] { close(); });
    on(m_actions.selectAll, [this] {
        if (m_document.isOpen())
            m_document.select(m_document.graph().order());
    });
    on(m_actions.clearSelection, [this] { m_document.clearSelection(); });
    on(m_actions.find, [this] { goToSearch(); });
    on(m_actions.fit, [this] { paneInFront().showAll(); });
    on(m_actions.zoomIn, [this] { paneInFront().zoomBy(kMenuZoomStep); });
    on(m_actions.zoomOut, [this] { paneInFront().zoomBy(1 / kMenuZoomStep); });
    on(m_actions.openAll, [this] { graphInFront().openAll(); });
    on(m_actions.foldAll, [this] { graphInFront().foldAll(); });
    on(m_actions.up, [this] { emit graphInFront().canvas().goUpRequested(); }); // as its key does
    for (std::size_t i = 0; i < m_actions.tool.size(); ++i)
        on(m_actions.tool[i], [this, i] { setTool(static_cast<ToolKind>(i)); });
    on(m_actions.largerBrush, [canvas] { canvas->setBrushRadius(canvas->brushRadius() * kRadiusStep); });
    on(m_actions.smallerBrush, [canvas] { canvas->setBrushRadius(canvas->brushRadius() / kRadiusStep); });
    on(m_actions.paintSelection, [this] { m_document.paint(m_document.selection().source, m_document.activeTag()); });
    on(m_actions.eraseSelection, [this] { m_document.erase(m_document.selection().source); });
    on(m_actions.nextUntagged, [this] {
        if (!m_document.selectNextUntagged())
            say(tr("Every op has a tag."));
    });
    on(m_actions.fillIn, [this] { m_document.fillInUntagged(); });
    on(m_actions.stages, [this] { showStages(); });
    on(m_actions.eraseAll, [this] {
        if (m_document.isOpen())
            m_document.erase(m_document.graph().order());
    });
    on(m_actions.addTag, [this] { m_document.addTag(); });
    on(m_actions.renameTag, [this] { renameTag(); });
    on(m_actions.removeTag, [this] { m_document.removeTag(m_document.activeTag()); });
    for (std::size_t i = 0; i < m_actions.activeTag.size(); ++i)
        on(m_actions.activeTag[i], [this, i] { m_document.setActiveTag(static_cast<int>(i)); });
    connectPasses();
    on(m_actions.customOperators, [this] { showOperators(); });
    on(m_actions.closeResult, [this] {
        for (const ResultDescription& result : resultKinds())
            m_document.hideRun(result.kind);
    });
    connect(m_actions.showSide, &QAction::toggled, this, [this](bool shown) { m_workspace->widget(0)->setVisible(shown); });
    connect(m_actions.showBottom, &QAction::toggled, this, [this](bool shown) { m_bottom->setVisible(shown); });
    on(m_actions.showRuns, [this] {
        m_actions.showBottom->setChecked(true);
        m_bottom->setCurrentWidget(m_runs);
        m_runs->view().setFocus();
    });
    for (std::size_t i = 0; i < m_actions.arrange.size(); ++i)
        on(m_actions.arrange[i], [this, i] { m_panes->arrange(arrangements()[i]); });
    on(m_actions.nextArea, [this] { stepFocus(areas(), 1); });
    on(m_actions.previousArea, [this] { stepFocus(areas(), -1); });
    on(m_actions.resetLayout, [this] { resetLayout(); });
    on(m_actions.gestures, [this] { showGestures(); });
    on(m_actions.about, [this] { showAbout(); });
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
        m_recentMenu->addAction(caption(visible(QFileInfo(path).fileName())), this, [this, path] { openModel(path); })
            ->setToolTip(folded(visible(path)));
    m_recentMenu->setToolTipsVisible(true);
    if (m_recentMenu->isEmpty())
        m_recentMenu->addAction(tr("Nothing yet"))->setEnabled(false);
}

void MainWindow::showSelectionMenu(const QPoint& globalPosition)
{
    QMenu menu(this);
    const bool any = !m_document.selection().source.empty();
    const std::vector<TagLook> looks = tagLooksOf(m_document, currentTheme());
    for (int tag = 0; tag < std::min(9, m_document.tagCount()) && any; ++tag)
        menu.addAction(tintedIcon(QStringLiteral("brush"), looks[static_cast<std::size_t>(tag)].style.color),
                       tr("Paint %1").arg(caption(m_document.tagName(tag))), this,
                       [this, tag] { m_document.paint(m_document.selection().source, tag); });
    if (any) {
        menu.addAction(m_actions.eraseSelection);
        m_panes->regions().addOccurrenceActions(menu);
        menu.addSeparator();
    }
    menu.addActions({m_actions.up, m_actions.fit, m_actions.openAll, m_actions.foldAll});
    menu.addSeparator();
    menu.addActions({m_actions.nextUntagged, m_actions.stages});
    menu.exec(globalPosition);
}

void MainWindow::showRepairs(int mark, const QPoint& globalPosition)
{
    const auto& marks = m_source->canvas().pictureStyle().backward;
    if (mark < 0 || static_cast<std::size_t>(mark) >= marks.size())
        return;
    const BackwardMark& edge = marks[static_cast<std::size_t>(mark)];
    const auto concerns = [&](const Problem& problem) {
        return problem.kind == Problem::Kind::backwardEdge && problem.nodes.front() == edge.producer
            && std::find(problem.nodes.begin() + 1, problem.nodes.end(), edge.consumer) != problem.nodes.end();
    };
    const Problems& problems = m_document.problems();
    const auto problem = std::find_if(problems.begin(), problems.end(), concerns);
    if (problem == problems.end())
        return;
    QMenu menu(this);
    menu.addAction(caption(text(problem->text), 160))->setEnabled(false);
    menu.addSeparator();
    for (const Repair& repair : problem->repairs)
        menu.addAction(caption(text(repair.label)), this, [this, repair] { m_document.apply(repair); })
            ->setToolTip(folded(text(repair.tip)));
    menu.setToolTipsVisible(true);
    menu.exec(globalPosition);
}

void MainWindow::showGestures()
{
    const auto row = [](const QString& keys, const QString& what) {
        return QStringLiteral("<tr><td style='padding:2px 16px 2px 0'><b>%1</b></td><td style='padding:2px 0'>%2</td></tr>")
            .arg(keys, what);
    };
    QMessageBox box(this);
    box.setWindowTitle(tr("Keys and gestures"));
    box.setTextFormat(Qt::RichText);
    box.setText(
        QStringLiteral("<table>") + row(tr("Wheel"), tr("zoom at the cursor; Shift+wheel moves sideways"))
        + row(tr("Middle button, Space"), tr("hold and drag to move the graph"))
        + row(tr("Double click, Enter"), tr("open or close a module; with Alt all below it"))
        + row(tr("Backspace"), tr("close the module around")) + row(tr("Ctrl+click, Shift+drag"), tr("add to the selection"))
        + row(tr("V B E R H"), tr("select, brush, eraser, rectangle, hand")) + row(tr("[ ]"), tr("smaller and larger brush"))
        + row(tr("1 … 9"), tr("active tag")) + row(tr("P, Delete"), tr("paint and erase the selection"))
        + row(tr("N"), tr("next untagged op")) + row(tr("Arrow keys"), tr("walk the graph: inputs, users, neighbours"))
        + row(tr("Ctrl+Tab"), tr("go to the next pane or panel; with Shift to the one before"))
        + row(tr("F, Ctrl+0"), tr("show the whole graph of the pane that has the focus"))
        + row(tr("G, Shift+G"), tr("next and last of what is selected, found or marked"))
        + row(tr("Ctrl+F"), tr("find ops: op:linear module:layers.3 tag:none"))
        + row(tr("Ctrl+H"), tr("history of runs: Enter shows, C compares, R runs it again, F2 renames, Delete discards"))
        + row(tr("Ctrl+Enter"), tr("split")) + row(tr("Ctrl+Shift+P"), tr("partition over devices"))
        + row(tr("M"), tr("move the selection to another part; Up and Down choose it")) + row(tr("Ctrl+E"), tr("export"))
        + QStringLiteral("</table>"));
    box.exec();
}

void MainWindow::showAbout()
{
    AboutDialog(this).exec();
}

} // namespace sunder
