#include "app/workspace.h"

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

#include <QAction>
#include <QDockWidget>
#include <QScopedValueRollback>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kRowHeight = 384;  ///< of a pane with 300 px of graph between its header, bars and footer
constexpr int kRowSlack = 40;    ///< so much more until there are two rows: panels beside that grow by a line change nothing
constexpr int kPlacedByUs = 0;   ///< versions of saved arrangements
constexpr int kPlacedByHand = 1;

} // namespace

Workspace::Workspace(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : QMainWindow(parent), m_document(document), m_source(new SourcePane(document, jobs, engine, this)),
      m_zoomLinks(new ZoomLinks(this))
{
    setObjectName(QStringLiteral("workspace"));
    setWindowFlags(Qt::Widget); // a part of the window, not one of its own
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCentralWidget(m_source);
    m_zoomLinks->add(*m_source, QStringLiteral("source"));
    m_source->setMinimumWidth(240);
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

/// What the workspace has to do with single panes.
void Workspace::connectPanes()
{
    m_submodules = find<SubmodulesPane>();
    m_partitionDag = find<PartitionDagPane>();
    m_regions = find<RegionsPane>();
    m_hierarchy = find<HierarchyPane>();
    m_compare = find<ComparePane>();
    connect(m_partitionDag, &PartitionDagPane::partActivated, this, &Workspace::showPart);
    connect(m_partitionDag, &PartitionDagPane::roomWanted, this, [this](int height) { giveRoom(*m_partitionDag, height); });
    connect(m_compare, &ComparePane::compared, this, [this] { giveRoom(*m_compare, height()); }); // two pictures and a table
}

void Workspace::addDock(const PaneDescription& about, Pane* pane)
{
    auto* dock = new QDockWidget(pane->title(), this);
    dock->setObjectName(about.id); // what saved arrangements know it by
    dock->toggleViewAction()->setObjectName(QStringLiteral("pane-") + about.id); // and its keys
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

int Workspace::rowsThatFit() const
{
    return height() >= 2 * kRowHeight + (m_rows > 1 ? 0 : kRowSlack) ? 2 : 1;
}

void Workspace::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (rowsThatFit() != m_rows) // docks have their sizes only after this
        QMetaObject::invokeMethod(this, &Workspace::placeAgain, Qt::QueuedConnection);
}

void Workspace::placeAgain()
{
    if (rowsThatFit() == m_rows || m_isMoved || m_maximized != nullptr)
        return;
    std::vector<QDockWidget*> shown;
    std::vector<QDockWidget*> inFront;
    int width = 0;
    for (const Entry& entry : m_panes) {
        if (entry.dock->isHidden())
            continue;
        shown.push_back(entry.dock);
        if (!entry.pane->visibleRegion().isEmpty()) {
            inFront.push_back(entry.dock);
            width = entry.dock->width();
        }
    }
    placeDocks();
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(std::ranges::find(shown, entry.dock) != shown.end());
    for (QDockWidget* dock : inFront)
        dock->raise();
    shareRoom();
    if (width > 0)
        resizeDocks(QList<QDockWidget*>{inFront.front()}, {width}, Qt::Horizontal);
}

void Workspace::placeDocks()
{
    const QScopedValueRollback placing(m_isPlacing, true);
    m_isMoved = false;
    m_rows = rowsThatFit();
    QDockWidget* tabs = nullptr;
    const auto isAbove = [this](const Entry& entry) { return entry.about->isAbove && m_rows > 1; };
    for (const Entry& entry : m_panes) {
        entry.dock->setFloating(false);
        if (isAbove(entry))
            addDockWidget(Qt::RightDockWidgetArea, entry.dock, Qt::Vertical);
    }
    for (const Entry& entry : m_panes) {
        if (isAbove(entry))
            continue;
        if (tabs == nullptr)
            addDockWidget(Qt::RightDockWidgetArea, tabs = entry.dock, Qt::Vertical);
        else
            tabifyDockWidget(tabs, entry.dock);
    }
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(isWanted(entry));
}

bool Workspace::isWanted(const Entry& entry) const
{
    return entry.result != nullptr ? m_document.shownRun(entry.result->kind()) != 0 : m_compare->after() != 0;
}

/// Panes that show nothing of the document, as those that were left open for the last one.
void Workspace::hideEmpty()
{
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    for (const Entry& entry : m_panes)
        if (!isWanted(entry))
            entry.dock->hide();
}

/// Panes of a result that is new come up, those of one that is gone go; what the person closed stays closed.
void Workspace::showResults(ResultKind kind)
{
    const int number = m_document.shownRun(kind);
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

/// The first ones get half of the room; later they keep what they had.
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

/// Half of the width for what is beside the source, and of its height for each of two rows.
void Workspace::shareRoom()
{
    QList<QDockWidget*> docks;
    QList<int> widths;
    QList<int> heights;
    for (const Entry& entry : m_panes)
        if (!entry.dock->isHidden() && !entry.dock->isFloating()) {
            docks << entry.dock;
            widths << width() / 2;
            heights << (m_rows == 1 ? height() : entry.about->isAbove ? height() * 11 / 20 : height() * 9 / 20);
        }
    resizeDocks(docks, widths, Qt::Horizontal);
    resizeDocks(docks, heights, Qt::Vertical);
}

/// More height for a dock that shows more than before; never so much that what is above or below it cannot be used.
void Workspace::giveRoom(const Pane& pane, int wanted)
{
    QDockWidget* dock = dockOf(pane);
    const int given = std::min(wanted + pane.header().height(), height() * 2 / 3);
    if (dock->isFloating() || dock->height() >= given)
        return;
    // Told of one dock alone, Qt gives it a part of what it asks for.
    QList<QDockWidget*> docks{dock};
    QList<int> heights{given};
    for (const Entry& other : m_panes)
        if (other.dock != dock && other.dock->isVisible() && !other.dock->isFloating() && other.dock->x() == dock->x()
            && other.dock->y() != dock->y() && rect().intersects(other.dock->geometry())) {
            docks << other.dock;
            heights << std::max(1, other.dock->height() - (given - dock->height()));
        }
    resizeDocks(docks, heights, Qt::Vertical);
}

void Workspace::showPart(const QString& name)
{
    QDockWidget* dock = dockOf(*m_submodules);
    dock->show();
    dock->raise();
    QTabBar& tabs = m_submodules->tabs();
    for (int i = 1; i < tabs.count(); ++i) // 0 is the main graph
        if (tabs.tabData(i).toString() == name) // their texts count hits of a search
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
    std::vector<QDockWidget*> wanted;
    for (const QString& id : arrangement.panes)
        wanted.push_back(std::ranges::find_if(m_panes, [&](const Entry& entry) { return entry.about->id == id; })->dock);
    placeDocks();
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(std::find(wanted.begin(), wanted.end(), entry.dock) != wanted.end());
    for (QDockWidget* dock : wanted)
        dock->raise();
    shareRoom();
    if (wanted.empty())
        m_source->canvas().setFocus(); // what is painted by keys is painted there
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
        m_document.hideRun(entry.result->kind());
}

void Workspace::toggleMaximized(Pane& pane)
{
    if (m_maximized != nullptr) {
        m_maximized = nullptr;
        m_source->show();
        const QScopedValueRollback placing(m_isPlacing, true);
        restoreState(m_before, m_isMoved ? kPlacedByHand : kPlacedByUs);
        return;
    }
    m_before = saveArrangement();
    m_maximized = &pane;
    for (const Entry& entry : m_panes)
        if (entry.pane != &pane)
            entry.dock->hide();
    m_source->setVisible(&pane == m_source);
}

std::vector<QAction*> Workspace::paneActions() const
{
    std::vector<QAction*> actions;
    for (const Entry& entry : m_panes)
        actions.push_back(entry.dock->toggleViewAction());
    return actions;
}

QByteArray Workspace::saveArrangement() const
{
    return m_maximized != nullptr ? m_before : saveState(m_isMoved ? kPlacedByHand : kPlacedByUs);
}

void Workspace::restoreArrangement(const QByteArray& saved)
{
    const QScopedValueRollback placing(m_isPlacing, true);
    m_isMoved = restoreState(saved, kPlacedByHand);
    if (!m_isMoved && restoreState(saved, kPlacedByUs)) {
        const auto above = std::ranges::find_if(m_panes, [](const Entry& entry) { return entry.about->isAbove; });
        m_rows = tabifiedDockWidgets(above->dock).isEmpty() ? 2 : 1;
    }
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(isWanted(entry));
    placeAgain();
}

std::vector<Pane*> Workspace::panesInSight() const
{
    std::vector<Pane*> panes{m_source};
    for (const Entry& entry : m_panes)
        if (!entry.pane->visibleRegion().isEmpty()) // docks behind others are "visible"
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
    setAnimated(!Motion::isReduced()); // docks glide
    connect(&preferences, &Preferences::changed, this, [this] {
        setAnimated(!Motion::isReduced());
        refreshTheme();
    });
}

} // namespace sunder

#include "moc_workspace.cpp"
