#include "app/work_area.h"

#include "app/bottom_panel.h"
#include "app/workspace.h"
#include "panels/assumption_bar.h"
#include "panels/devices_panel.h"
#include "panels/file_change_bar.h"
#include "panels/inspector_panel.h"
#include "panels/jobs_panel.h"
#include "panels/log_panel.h"
#include "panels/matches_panel.h"
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

constexpr int kLayoutVersion = 5; ///< raised when panels change such that old sizes make no sense

constexpr int kHeaderHeight = 34; ///< of a panel, pixels
constexpr int kLineGap = 14;      ///< around the line of an empty one
constexpr int kLeastPanelHeight = 92;
constexpr int kTagsHeight = 276;
constexpr int kSideWidth = 272; ///< a tag with a name as "stage10", thousands of ops and its bytes
/// Header and rows of 24 pixels.
constexpr int heightOfTags(int rows)
{
    return kHeaderHeight + rows * 24 + 4;
}
constexpr int kBarsHeight = 110; ///< menus, tool bar and status line of the window
constexpr int kPanelHeight = 210; ///< of one that was empty from the start

void makeThin(QSplitter& splitter)
{
    splitter.setHandleWidth(1);
    splitter.setChildrenCollapsible(false);
}

/// Boxes are laid out by `dot` in a child process where sunder-cli lies beside us, else by our own engine alone.
std::shared_ptr<const LayoutEngine> makeEngine()
{
    const QString cli = QCoreApplication::applicationDirPath() + QStringLiteral("/sunder-cli");
    return makeAutomaticEngine(QFileInfo(cli).isExecutable() ? makeDotEngine(cli.toStdString()) : nullptr);
}

/// The focus alone selects nothing, and of a single row no arrow key does.
void goToRows(QAbstractItemView& view)
{
    view.setFocus();
    if (!view.selectionModel()->hasSelection())
        view.setCurrentIndex(view.model()->index(0, 0));
}

} // namespace

WorkArea::WorkArea(Document& document, Jobs& jobs, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), m_side(new QSplitter(Qt::Vertical, this)), m_rest(new QSplitter(Qt::Vertical, this))
{
    for (QSplitter* splitter : {static_cast<QSplitter*>(this), m_side, m_rest})
        makeThin(*splitter);
    buildSide(document, jobs);
    buildRest(document, jobs);
    setStretchFactor(0, 0);
    setStretchFactor(1, 1);
    m_rest->setStretchFactor(0, 1);
    m_rest->setStretchFactor(1, 0);
    m_side->setStretchFactor(0, 1);
}

void WorkArea::buildSide(Document& document, Jobs& jobs)
{
    m_outline = new OutlinePanel(document, jobs, m_side);
    m_tags = new TagsPanel(document, m_side);
    m_devices = new DevicesPanel(document, m_side);
    m_inspector = new InspectorPanel(document, jobs, m_side);
    m_outline->setMinimumHeight(kLeastPanelHeight);
    m_tags->setMinimumHeight(kLeastPanelHeight);
    connect(m_devices, &DevicesPanel::emptyChanged, this, [this](bool isEmpty) { keepSmallWhileEmpty(*m_devices, isEmpty); });
    connect(m_inspector, &InspectorPanel::emptyChanged, this,
            [this](bool isEmpty) { keepSmallWhileEmpty(*m_inspector, isEmpty); });
    keepSmallWhileEmpty(*m_devices, document.devices().empty());
    keepSmallWhileEmpty(*m_inspector, m_inspector->isEmpty());
    m_side->setMinimumWidth(220);
}

void WorkArea::keepSmallWhileEmpty(QWidget& panel, bool isEmpty)
{
    const bool isSmall = m_fullHeights.contains(&panel);
    if (isEmpty) {
        const int small = kHeaderHeight + panel.fontMetrics().height() + kLineGap
            + (&panel == m_devices ? m_devices->offerHeight() : 0);
        if (isSmall && panel.maximumHeight() == small)
            return;
        if (!isSmall)
            m_fullHeights[&panel] = std::max(panel.height(), kPanelHeight);
        panel.setFixedHeight(small);
        m_side->setSizes(withSmallPanels(m_side->sizes()));
        return;
    }
    if (!isSmall)
        return;
    const int full = m_fullHeights[&panel];
    m_fullHeights.erase(&panel);
    panel.setMinimumHeight(kLeastPanelHeight);
    panel.setMaximumHeight(QWIDGETSIZE_MAX);
    QList<int> sizes = m_side->sizes();
    int& own = sizes[m_side->indexOf(&panel)];
    int& tags = sizes[m_side->indexOf(m_tags)];
    const int rows = m_tags->view().model()->rowCount() + 1; // one more for the next tag
    const int fromTags = std::clamp(tags - std::max(kLeastPanelHeight, heightOfTags(rows)), 0, std::max(0, full - own));
    const int fromOutline = std::clamp(full - own - fromTags, 0, std::max(0, sizes.front() - kLeastPanelHeight));
    own += fromTags + fromOutline;
    tags -= fromTags;
    sizes.front() -= fromOutline;
    m_lentByTags[&panel] = fromTags;
    m_side->setSizes(sizes);
}

QList<int> WorkArea::withSmallPanels(QList<int> heights)
{
    for (const auto& [panel, full] : m_fullHeights) {
        int& own = heights[m_side->indexOf(const_cast<QWidget*>(panel))];
        if (own <= panel->maximumHeight())
            continue;
        const int free = own - panel->maximumHeight();
        const auto lent = m_lentByTags.find(panel);
        const int toTags = lent == m_lentByTags.end() ? 0 : std::min(free, lent->second);
        if (lent != m_lentByTags.end())
            m_lentByTags.erase(lent);
        heights[m_side->indexOf(m_tags)] += toTags;
        heights.front() += free - toTags;
        own = panel->maximumHeight();
    }
    return heights;
}

void WorkArea::buildRest(Document& document, Jobs& jobs)
{
    auto* middle = new QWidget(m_rest);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_modelChange = new FileChangeBar(middle);
    m_tagsChange = new FileChangeBar(middle);
    m_sizes = new AssumedSizes(document, jobs, this);
    m_assumptions = new AssumptionBar(*m_sizes, middle);
    m_panes = new Workspace(document, jobs, makeEngine(), middle);
    m_panes->setWindowFlags(Qt::Widget); // a window within this one
    column->addWidget(m_modelChange);
    column->addWidget(m_tagsChange);
    column->addWidget(m_assumptions);
    column->addWidget(m_panes, 1);
    buildBottom(document, jobs);
}

void WorkArea::buildBottom(Document& document, Jobs& jobs)
{
    m_bottom = new BottomPanel(*m_rest);
    m_bottom->setObjectName(QStringLiteral("panel"));
    m_bottom->setAutoFillBackground(true);
    m_bottom->setBackgroundRole(QPalette::Base);
    connect(&document, &Document::changed, m_bottom, [this](Changes what) { // before panels that come to the front with a model
        if (what.testFlag(Change::opened))
            showProblems();
    });
    m_problems = new ProblemsPanel(document, m_bottom);
    m_runs = new RunsPanel(document, m_bottom);
    m_steps = new StepsPanel(document, m_bottom);
    m_rules = new RulesPanel(document, jobs, m_bottom);
    m_matches = new MatchesPanel(document, m_bottom);
    m_log = new LogPanel(m_bottom);
    m_bottom->add(*m_problems, tr("Problems"), tr("What stands in the way of a split"));
    m_bottom->add(*new JobsPanel(jobs, m_bottom), tr("Jobs"), tr("What runs in the background"));
    m_bottom->add(*m_runs, tr("Runs"), tr("Every result since the model was opened"));
    m_bottom->add(*m_steps, tr("Steps"), tr("Every step since the model was opened: click to go there"));
    m_bottom->add(*m_rules, tr("Rules"), tr("Rules that give tags by module, class and operator"));
    m_bottom->add(*m_matches, tr("Matches"), tr("What ops were in another export, whose tags were taken over"));
    connect(m_matches, &MatchesPanel::openCountChanged, m_bottom, [this](int count) {
        m_bottom->setTabText(m_bottom->indexOf(m_matches), count == 0 ? tr("Matches") : tr("Matches %1").arg(count));
    });
    m_bottom->add(*m_log, tr("Log"), tr("What happened"));
}

void WorkArea::setBottomVisible(bool visible)
{
    m_bottom->setVisible(visible);
}

void WorkArea::showProblems()
{
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
    m_bottom->setTabText(m_bottom->indexOf(m_problems), count == 0 ? tr("Problems") : tr("Problems %1").arg(count));
}

void WorkArea::reset(const QSize& window)
{
    const int wide = std::max(window.width(), 800);
    const int tall = std::max(window.height(), 500);
    setSizes({kSideWidth, wide - kSideWidth});
    const auto heightOf = [this](const QWidget* panel, int share) {
        return m_fullHeights.contains(panel) ? panel->maximumHeight() : share;
    };
    const int tags = std::clamp(tall * 32 / 100, heightOfTags(8), kTagsHeight);
    const int devices = heightOf(m_devices, tall * 15 / 100);
    const int inspector = heightOf(m_inspector, tall * 28 / 100);
    m_side->setSizes({tall - kBarsHeight - tags - devices - inspector, tags, devices, inspector});
    m_rest->setSizes({tall - 150, 132});
    m_bottom->resetHeight();
    m_panes->reset();
}

void WorkArea::saveSizes(QSettings& settings) const
{
    settings.setValue(QStringLiteral("window/version"), kLayoutVersion);
    settings.setValue(QStringLiteral("window/workspace"), saveState());
    QVariantList side;
    for (const int height : m_side->sizes())
        side.push_back(height);
    settings.setValue(QStringLiteral("window/side"), side);
    settings.setValue(QStringLiteral("window/rest"), m_rest->saveState());
    settings.setValue(QStringLiteral("window/restChosen"), m_bottom->isHeightChosen());
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
    if (side.size() == m_side->count())
        m_side->setSizes(withSmallPanels(std::move(side))); // not of sizes(), which are squeezed before the window is shown
    m_rest->restoreState(settings.value(QStringLiteral("window/rest")).toByteArray());
    m_bottom->setHeightChosen(settings.value(QStringLiteral("window/restChosen")).toBool());
    m_panes->restoreArrangement(settings.value(QStringLiteral("window/panes")).toByteArray());
    return true;
}

std::vector<QWidget*> WorkArea::areas() const
{
    std::vector<QWidget*> areas;
    for (FileChangeBar* bar : {m_modelChange, m_tagsChange})
        if (bar->isVisible())
            areas.push_back(bar);
    for (Pane* pane : m_panes->panesInSight())
        areas.push_back(pane);
    areas.insert(areas.end(), {m_bottom->currentWidget(), m_outline, m_tags, m_devices, m_inspector});
    return areas;
}

} // namespace sunder

#include "moc_work_area.cpp"
