#include "app/work_area.h"

#include "app/bottom_panel.h"
#include "app/side_column.h"
#include "app/workspace.h"
#include "panels/assumption_bar.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/jobs_panel.h"
#include "panels/log_panel.h"
#include "panels/matches_panel.h"
#include "panels/notice_bar.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/rules_panel.h"
#include "panels/runs_panel.h"
#include "panels/steps_panel.h"
#include "panels/tags_panel.h"
#include "panes/pane.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kLayoutVersion = 6; ///< incremented when changed panels make stored sizes invalid

constexpr int kHeaderHeight = 34; ///< height of a panel header in pixels
constexpr int kSideRow = 24;
constexpr int kSideWidth = 272; ///< fits a tag named like "stage10", thousands of ops, and its bytes
constexpr int kMinSideWidth = 220;
constexpr int kNarrowWindow = 900;         ///< width of a window below which the side is as narrow as possible
constexpr int kLow = 440;            ///< height below which panels are folded, e.g. on 1440×900 at 200%
constexpr int kBottomIfLow = 130;    ///< height of the unfolded bottom panel then

constexpr int heightOfRows(int rows)
{
    return kHeaderHeight + rows * kSideRow + 4;
}

void makeThin(QSplitter& splitter)
{
    splitter.setHandleWidth(1);
    splitter.setChildrenCollapsible(false);
}

/// Creates an engine that runs `dot` in a child process if sunder-cli is next to the executable; otherwise uses only the built-in
/// layout.
std::shared_ptr<const LayoutEngine> makeEngine()
{
    const QString cli = QCoreApplication::applicationDirPath() + QStringLiteral("/sunder-cli");
    return makeAutomaticEngine(QFileInfo(cli).isExecutable() ? makeDotEngine(cli.toStdString()) : nullptr);
}

/// Focuses a list and selects its first row if there is no selection: with a single row, arrow keys would not select it.
void goToRows(QAbstractItemView& view)
{
    view.setFocus();
    if (!view.selectionModel()->hasSelection())
        view.setCurrentIndex(view.model()->index(0, 0));
}

} // namespace

WorkArea::WorkArea(Document& document, Jobs& jobs, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), m_side(new SideColumn(this)), m_rest(new QSplitter(Qt::Vertical, this))
{
    for (QSplitter* splitter : {static_cast<QSplitter*>(this), m_rest})
        makeThin(*splitter);
    buildSide(document, jobs);
    buildRest(document, jobs);
    setStretchFactor(0, 0);
    setStretchFactor(1, 1);
    m_rest->setStretchFactor(0, 1);
    m_rest->setStretchFactor(1, 0);
    connect(&document, &Document::changed, this, [this](Changes what) { // after the panels have been updated
        if (what.testFlag(Change::opened))
            learnNeeds();
    });
    connect(m_bottom, &BottomPanel::foldedChanged, this, &WorkArea::shareRest);
}

void WorkArea::buildSide(Document& document, Jobs& jobs)
{
    m_outline = new OutlinePanel(document, jobs);
    m_tags = new TagsPanel(document);
    m_devices = new DevicesPanel(document);
    m_inspector = new InspectorPanel(document, jobs);
    m_side->add(*m_outline, 40);
    m_side->add(*m_tags, 25);
    m_side->add(*m_devices, 10);
    m_side->add(*m_inspector, 25);
    m_side->setMinimumWidth(kMinSideWidth);
    learnNeeds();
}

void WorkArea::learnNeeds()
{
    const int tags = m_tags->view().model()->rowCount() + 1; // one extra row for the next tag
    const int devices = m_devices->view().model()->rowCount() + 1;
    m_side->setNeeds(
        {heightOfRows(8), heightOfRows(std::clamp(tags, 8, 14)), heightOfRows(std::clamp(devices, 3, 8)), heightOfRows(7)});
}

void WorkArea::shareRest()
{
    const int bottom = m_bottom->isFolded() ? m_bottom->maximumHeight() // a splitter gives more than that
        : m_bottom->isFolding()             ? kBottomIfLow
                                            : std::clamp(height() * 15 / 100, 120, 320);
    m_rest->setSizes({m_rest->height() - bottom, bottom});
}

void WorkArea::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    m_side->setLow(height() < kLow);
    m_bottom->setFolding(height() < kLow);
    if (m_bottom->isFolded())
        shareRest();
}

void WorkArea::buildRest(Document& document, Jobs& jobs)
{
    auto* middle = new QWidget(m_rest);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_modelChange = new NoticeBar(QStringLiteral("modelNotice"), middle);
    m_tagsChange = new NoticeBar(QStringLiteral("tagsNotice"), middle);
    m_sizes = new AssumedSizes(document, jobs, this);
    m_assumptions = new AssumptionBar(*m_sizes, middle);
    m_panes = new Workspace(document, jobs, makeEngine(), middle);
    m_panes->setWindowFlags(Qt::Widget); // embedded, not a separate window
    column->addWidget(m_modelChange);
    column->addWidget(m_tagsChange);
    column->addWidget(m_assumptions);
    column->addWidget(m_panes, 1);
    buildBottom(document, jobs);
}

void WorkArea::buildBottom(Document& document, Jobs& jobs)
{
    m_bottom = new BottomPanel(m_rest);
    m_bottom->setObjectName(QStringLiteral("panel"));
    m_bottom->setAutoFillBackground(true);
    m_bottom->setBackgroundRole(QPalette::Base);
    connect(&document, &Document::changed, m_bottom, [this](Changes what) { // before the panels that raise themselves for a model
        if (what.testFlag(Change::opened))
            m_bottom->setCurrentWidget(m_problems);
    });
    m_problems = new ProblemsPanel(document, m_bottom);
    m_runs = new RunsPanel(document, m_bottom);
    m_steps = new StepsPanel(document, m_bottom);
    m_rules = new RulesPanel(document, jobs, m_bottom);
    m_matches = new MatchesPanel(document, m_bottom);
    m_log = new LogPanel(m_bottom);
    m_bottom->addCounted(*m_problems, tr("Problems"), tr("Errors, warnings, and notes about the tags, with fixes"));
    m_bottom->add(*new JobsPanel(jobs, m_bottom), tr("Jobs"), tr("Background jobs"));
    m_bottom->add(*m_runs, tr("Runs"), tr("Every result since the model was opened"));
    m_bottom->add(*m_steps, tr("Steps"), tr("Every step since the model was opened; click a step to return to it"));
    m_bottom->add(*m_rules, tr("Rules"), tr("Rules that tag ops by module, class, and operator"));
    m_bottom->addCounted(*m_matches, tr("Matches"), tr("Matches with the ops of the export whose tags were imported"));
    connect(m_matches, &MatchesPanel::openCountChanged, m_bottom, [this](int count) { m_bottom->setCount(*m_matches, count); });
    m_bottom->add(*m_log, tr("Log"), tr("Messages of this session"));
}

void WorkArea::setSideVisible(bool visible)
{
    m_side->setVisible(visible);
}

void WorkArea::setBottomVisible(bool visible)
{
    m_bottom->setVisible(visible);
}

void WorkArea::showProblems()
{
    m_bottom->unfold();
    m_bottom->setCurrentWidget(m_problems);
}

void WorkArea::showRuns()
{
    m_bottom->setCurrentWidget(m_runs);
    m_runs->view().setFocus();
}

void WorkArea::showMatches()
{
    m_bottom->setCurrentWidget(m_matches);
    goToRows(m_matches->view());
}

void WorkArea::showRules()
{
    m_bottom->setCurrentWidget(m_rules);
    goToRows(m_rules->view());
}

void WorkArea::showSteps()
{
    m_bottom->setCurrentWidget(m_steps);
    m_steps->view().setFocus();
}

void WorkArea::showProblemCount(int count)
{
    m_bottom->setCount(*m_problems, count);
}

void WorkArea::reset(const QSize& window)
{
    const int wide = std::max(window.width(), 800);
    const int tall = std::max(window.height(), 500);
    const int side = window.width() < kNarrowWindow ? kMinSideWidth : kSideWidth;
    setSizes({side, wide - side});
    m_side->forgetChoice();
    learnNeeds();
    const int bottom = std::clamp(tall * 15 / 100, 120, 320);
    m_rest->setSizes({tall - bottom, bottom});
    m_panes->reset();
}

void WorkArea::saveSizes(QSettings& settings) const
{
    settings.setValue(QStringLiteral("window/version"), kLayoutVersion);
    settings.setValue(QStringLiteral("window/workspace"), saveState());
    QVariantList side;
    for (const int height : m_side->chosen())
        side.push_back(height);
    settings.setValue(QStringLiteral("window/side"), side);
    settings.setValue(QStringLiteral("window/sideChosen"), !side.isEmpty());
    if (!m_bottom->isFolding())
        settings.setValue(QStringLiteral("window/rest"), m_rest->saveState());
    settings.setValue(QStringLiteral("window/panes"), m_panes->saveArrangement());
}

bool WorkArea::restoreSizes(const QSettings& settings)
{
    if (settings.value(QStringLiteral("window/version")).toInt() != kLayoutVersion)
        return false;
    restoreState(settings.value(QStringLiteral("window/workspace")).toByteArray());
    QList<int> side;
    for (const QVariant& height : settings.value(QStringLiteral("window/side")).toList())
        side.push_back(height.toInt());
    if (settings.value(QStringLiteral("window/sideChosen")).toBool())
        m_side->choose(side);
    m_rest->restoreState(settings.value(QStringLiteral("window/rest")).toByteArray());
    m_panes->restoreArrangement(settings.value(QStringLiteral("window/panes")).toByteArray());
    return true;
}

std::vector<QWidget*> WorkArea::areas() const
{
    std::vector<QWidget*> areas;
    for (NoticeBar* bar : {m_modelChange, m_tagsChange})
        if (bar->isVisible())
            areas.push_back(bar);
    for (Pane* pane : m_panes->panesInSight())
        areas.push_back(pane);
    areas.insert(areas.end(), {m_bottom->currentWidget(), m_outline, m_tags, m_devices, m_inspector});
    return areas;
}

} // namespace sunder

#include "moc_work_area.cpp"
