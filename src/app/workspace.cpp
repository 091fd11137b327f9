#include "app/workspace.h"

#include "app/keyboard_focus.h"
#include "app/preferences.h"
#include "app/zoom_links.h"
#include "canvas/motion.h"
#include "document/runs/result_kinds.h"
#include "panes/compare/compare_pane.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/run_graph_view.h"
#include "panes/source_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "panes/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QScopedValueRollback>

#include <algorithm>

namespace sunder {

Workspace::Workspace(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : QMainWindow(parent), m_document(document), m_source(new SourcePane(document, jobs, engine, this)),
      m_zoomLinks(new ZoomLinks(this)), m_sourceDock(new QDockWidget(m_source->title(), this))
{
    setObjectName(QStringLiteral("workspace"));
    setWindowFlags(Qt::Widget); // embedded, not a separate window
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCentralWidget(m_source);
    m_zoomLinks->add(*m_source, QStringLiteral("source"));
    m_source->setMinimumWidth(240);
    m_sourceDock->setObjectName(QStringLiteral("source"));
    m_sourceDock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    auto* noTitle = new QWidget(m_sourceDock); // the pane has its own header
    (new QHBoxLayout(noTitle))->setContentsMargins(0, 0, 0, 0); // otherwise the widget has no valid size
    m_sourceDock->setTitleBarWidget(noTitle);
    m_sourceDock->hide();
    for (const PaneDescription& about : paneTable())
        addDock(about, about.make(document, jobs, engine, this));
    connectPanes();
    placeDocks();
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::outcome | Change::program))
            for (const ResultDescription& result : resultKinds())
                showResults(result.kind);
        if (what.testFlag(Change::program))
            hideEmpty();
    });
    connect(&document.marks(), &Marks::revealRequested, this, [this] {
        const QWidget* focus = QApplication::focusWidget(); // keep the result in front if the selection was made there
        if (m_document.marks().selection().run == 0
            && std::ranges::none_of(m_panes, [&](const Entry& entry) { return entry.pane->isAncestorOf(focus); }))
            raiseSource();
    });
    connect(m_source, &Pane::edgeMenuRequested, this, &Workspace::edgeMenuRequested);
    connect(m_source, &Pane::message, this, &Workspace::message);
    connect(m_source, &Pane::maximizeRequested, this, [this] { toggleMaximized(*m_source); });
}

template <typename T>
T* Workspace::find() const
{
    for (const Entry& entry : m_panes)
        if (auto* pane = qobject_cast<T*>(entry.pane))
            return pane;
    return nullptr;
}

/// Connects individual panes.
void Workspace::connectPanes()
{
    m_submodules = find<SubmodulesPane>();
    m_partitionDag = find<PartitionDagPane>();
    m_regions = find<RegionsPane>();
    m_compare = find<ComparePane>();
    m_timeline = find<TimelinePane>();
    connect(m_partitionDag, &PartitionDagPane::partActivated, this, &Workspace::showPart);
    connect(m_partitionDag, &PartitionDagPane::roomWanted, this, [this](int height) { giveRoom(*m_partitionDag, height); });
    // enough for two pictures and a table
    connect(m_compare, &ComparePane::compared, this, [this] { giveRoom(*m_compare, height()); });
}

void Workspace::addDock(const PaneDescription& about, Pane* pane)
{
    auto* dock = new QDockWidget(pane->title(), this);
    dock->setObjectName(about.id); // id in saved arrangements
    dock->toggleViewAction()->setObjectName(QStringLiteral("pane-") + about.id); // id for its shortcut
    dock->setTitleBarWidget(&pane->header());
    dock->setWidget(pane);
    m_zoomLinks->add(*pane, about.id);
    const Entry entry{&about, pane, dock, qobject_cast<ResultPane*>(pane)};
    m_panes.push_back(entry);
    const auto moved = [this] { m_isMoved = m_isMoved || !m_isPlacing; };
    connect(dock, &QDockWidget::dockLocationChanged, this, moved);
    connect(dock, &QDockWidget::topLevelChanged, this, moved);
    connect(pane, &Pane::closeRequested, this, [this, entry] { close(entry); });
    connect(pane, &Pane::maximizeRequested, this, [this, pane] { toggleMaximized(*pane); });
    connect(pane, &Pane::exportRequested, this, [this, pane] { emit exportRequested(pane); });
    connect(pane, &Pane::message, this, &Workspace::message);
    connect(pane, &Pane::edgeMenuRequested, this, &Workspace::edgeMenuRequested);
    if (entry.result != nullptr) {
        connect(entry.result, &ResultPane::runRequested, this, &Workspace::runRequested);
        connect(entry.result, &ResultPane::runAgainRequested, this, &Workspace::runAgainRequested);
    }
}

QDockWidget* Workspace::dockOf(const Pane& pane) const
{
    const auto at = std::find_if(m_panes.begin(), m_panes.end(), [&](const Entry& entry) { return entry.pane == &pane; });
    return at == m_panes.end() ? nullptr : at->dock;
}

bool Workspace::isWanted(const Entry& entry) const
{
    if (entry.result != nullptr)
        return m_document.runs().shown(entry.result->kind()) != 0;
    // The timeline follows the tags: it stays if the user has opened it.
    return entry.pane == m_timeline ? m_document.isOpen() && !entry.dock->isHidden() : m_compare->after() != 0;
}

/// Hides panes without content, e.g. panes left open from the last document.
void Workspace::hideEmpty()
{
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    for (const Entry& entry : m_panes)
        if (!isWanted(entry))
            entry.dock->hide();
}

/// Shows the panes of a new result and hides those of a removed one. Panes that the user closed stay closed.
void Workspace::showResults(ResultKind kind)
{
    const int number = m_document.runs().shown(kind);
    const int before = std::exchange(m_shown[kind], number);
    if (number == before)
        return;
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    std::vector<QDockWidget*> wanted;
    for (const Entry& entry : m_panes) {
        if (entry.result == nullptr || entry.result->kind() != kind)
            continue;
        if (number == 0)
            entry.dock->hide();
        else
            wanted.push_back(entry.dock);
    }
    putBeside(wanted);
}

/// Gives the first docks half of the space; later ones keep the size they had.
void Workspace::putBeside(const std::vector<QDockWidget*>& docks)
{
    const bool anyShown = std::any_of(m_panes.begin(), m_panes.end(), [](const Entry& entry) { return !entry.dock->isHidden(); });
    for (QDockWidget* dock : docks) {
        dock->show();
        dock->raise();
    }
    if (!anyShown)
        shareRoom();
}

void Workspace::showPart(const QString& name)
{
    QDockWidget* dock = dockOf(*m_submodules);
    dock->show();
    dock->raise();
    QTabBar& tabs = m_submodules->tabs();
    for (int i = 1; i < tabs.count(); ++i) // 0 is the root graph
        if (tabs.tabData(i).toString() == name) // tab texts also contain numbers of search hits
            tabs.setCurrentIndex(i);
    if (RunGraphView* view = m_submodules->currentView())
        view->canvas().setFocus();
}

void Workspace::reset()
{
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    placeDocks();
    shareRoom();
}

void Workspace::arrange(const Arrangement& arrangement)
{
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    std::vector<const Entry*> wanted;
    for (const QString& id : arrangement.panes)
        wanted.push_back(&*std::ranges::find_if(m_panes, [&](const Entry& entry) { return entry.about->id == id; }));
    placeDocks();
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(std::ranges::find(wanted, &entry) != wanted.end());
    std::ranges::stable_partition(wanted, [this](const Entry* entry) { return !isWanted(*entry); }); // the last is in front
    for (const Entry* entry : wanted)
        entry->dock->raise();
    shareRoom();
    if (wanted.empty()) {
        raiseSource();
        m_source->canvas().setFocus(); // shortcuts for painting apply to the source
    }
}

void Workspace::showProposal(const TagAssignment* tags, const BalancePlanPtr& plan)
{
    m_source->showProposal(tags);
    m_partitionDag->showProposal(tags, plan);
    m_timeline->showProposal(plan ? &plan->tags : nullptr);
    QDockWidget* dock = dockOf(*m_partitionDag);
    if (tags == nullptr || !dock->isHidden() || m_maximized != nullptr)
        return;
    m_isDagForProposal = true;
    putBeside({dock});
    raiseSource();
}

void Workspace::endProposal()
{
    if (std::exchange(m_isDagForProposal, false) && m_document.runs().shown(m_partitionDag->kind()) == 0)
        dockOf(*m_partitionDag)->hide();
}

void Workspace::compare(int before, int after)
{
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    m_compare->compare(before, after);
    putBeside({dockOf(*m_compare)});
}

void Workspace::close(const Entry& entry)
{
    if (m_maximized == entry.pane)
        toggleMaximized(*entry.pane);
    entry.dock->hide();
    if (entry.result == nullptr)
        return;
    const bool isLast = std::none_of(m_panes.begin(), m_panes.end(), [&](const Entry& other) {
        return other.result != nullptr && other.result->kind() == entry.result->kind() && !other.dock->isHidden();
    });
    if (isLast)
        m_document.runs().hide(entry.result->kind());
}

void Workspace::toggleMaximized(Pane& pane)
{
    if (m_maximized != nullptr) {
        m_maximized = nullptr;
        sourceHolder().show();
        const QScopedValueRollback placing(m_isPlacing, true);
        restoreState(m_before, arrangementVersion());
        placeVisibleDocks();
        return;
    }
    m_before = saveArrangement();
    m_maximized = &pane;
    for (const Entry& entry : m_panes)
        if (entry.pane != &pane)
            entry.dock->hide();
    sourceHolder().setVisible(&pane == m_source);
}

std::vector<QAction*> Workspace::paneActions() const
{
    std::vector<QAction*> actions;
    for (const Entry& entry : m_panes)
        actions.push_back(entry.dock->toggleViewAction());
    return actions;
}

std::vector<Pane*> Workspace::panesInSight() const
{
    std::vector<Pane*> panes{m_source};
    for (const Entry& entry : m_panes)
        if (isInSight(*entry.pane)) // docks behind other tabs also count as visible
            panes.push_back(entry.pane);
    return panes;
}

std::vector<std::pair<QString, Pane*>> Workspace::namedPanes() const
{
    std::vector<std::pair<QString, Pane*>> panes;
    for (const Entry& entry : m_panes)
        panes.emplace_back(entry.about->id, entry.pane);
    return panes;
}

std::vector<Pane*> Workspace::panesWithPictures() const
{
    std::vector<Pane*> panes{m_source};
    for (const Entry& entry : m_panes)
        if (entry.pane->isVisible() && (entry.pane->graphInFront() != nullptr || entry.pane->drawing() != nullptr))
            panes.push_back(entry.pane);
    return panes;
}

void Workspace::refreshTheme()
{
    m_source->refreshTheme();
    for (const Entry& entry : m_panes)
        entry.pane->refreshTheme();
}

void Workspace::follow(const Preferences& preferences)
{
    setAnimated(!Motion::isReduced()); // docks are animated
    connect(&preferences, &Preferences::changed, this, [this] {
        setAnimated(!Motion::isReduced());
        refreshTheme();
    });
}

} // namespace sunder

#include "moc_workspace.cpp"
