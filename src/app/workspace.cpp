#include "app/workspace.h"

#include "panes/source_pane.h"
#include "panes/submodules/submodules_pane.h"

#include <QAction>
#include <QDockWidget>

#include <algorithm>

namespace sunder {

Workspace::Workspace(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : QMainWindow(parent), m_document(document), m_source(new SourcePane(document, jobs, engine, this))
{
    setObjectName(QStringLiteral("workspace"));
    setWindowFlags(Qt::Widget); // a part of the window, not one of its own
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCentralWidget(m_source);
    m_source->setMinimumWidth(240);
    m_submodules = new SubmodulesPane(document, jobs, engine, this);
    add(m_submodules, QStringLiteral("submodules"));
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::outcome | Change::program))
            for (const ResultKind kind : kResultKinds)
                showResults(kind);
    });
    connect(m_source, &Pane::maximizeRequested, this, [this] { toggleMaximized(*m_source); });
}

void Workspace::add(ResultPane* pane, const QString& objectName)
{
    auto* dock = new QDockWidget(pane->title(), this);
    dock->setObjectName(objectName);
    dock->setTitleBarWidget(&pane->header());
    dock->setWidget(pane);
    addDockWidget(Qt::RightDockWidgetArea, dock);
    dock->hide();
    m_panes.push_back({pane, dock});
    connect(pane, &Pane::closeRequested, this, [this, pane] { close(*pane); });
    connect(pane, &Pane::maximizeRequested, this, [this, pane] { toggleMaximized(*pane); });
    connect(pane, &Pane::exportRequested, this, &Workspace::exportRequested);
}

QDockWidget* Workspace::dockOf(const Pane& pane) const
{
    const auto at = std::find_if(m_panes.begin(), m_panes.end(), [&](const Entry& entry) { return entry.pane == &pane; });
    return at == m_panes.end() ? nullptr : at->dock;
}

bool Workspace::belongs(const ResultPane& pane) const
{
    return m_document.shownRun(pane.kind()) != 0;
}

/// Panes of a result that is new come up, those of one that is gone go; what the person closed stays closed.
void Workspace::showResults(ResultKind kind)
{
    const int number = m_document.shownRun(kind);
    const int before = std::exchange(m_shown[static_cast<std::size_t>(kind)], number);
    if (number == before)
        return;
    if (m_maximized != nullptr)
        toggleMaximized(*m_maximized);
    std::vector<ResultPane*> wanted;
    for (const Entry& entry : m_panes)
        if (entry.pane->kind() == kind && !entry.pane->isPinned()) {
            if (number == 0)
                entry.dock->hide();
            else
                wanted.push_back(entry.pane);
        }
    if (number != 0)
        putBeside(wanted);
}

/// The first time they get half of the room; later they keep what they had.
void Workspace::putBeside(const std::vector<ResultPane*>& panes)
{
    const bool anyShown = std::any_of(m_panes.begin(), m_panes.end(), [](const Entry& entry) { return entry.dock->isVisibleTo(entry.dock->parentWidget()); });
    for (ResultPane* pane : panes) {
        dockOf(*pane)->show();
        dockOf(*pane)->raise();
    }
    if (!anyShown && !panes.empty())
        resizeDocks({dockOf(*panes.front())}, {width() / 2}, Qt::Horizontal);
}

void Workspace::close(ResultPane& pane)
{
    if (m_maximized == &pane)
        toggleMaximized(pane);
    dockOf(pane)->hide();
    if (pane.isPinned())
        return;
    const bool isLast = std::none_of(m_panes.begin(), m_panes.end(), [&](const Entry& entry) {
        return entry.pane->kind() == pane.kind() && entry.dock->isVisibleTo(this);
    });
    if (isLast)
        m_document.hideRun(pane.kind());
}

void Workspace::toggleMaximized(Pane& pane)
{
    if (m_maximized != nullptr) {
        m_maximized = nullptr;
        m_source->show();
        restoreState(m_before);
        return;
    }
    m_before = saveState();
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
    return m_maximized != nullptr ? m_before : saveState();
}

void Workspace::restoreArrangement(const QByteArray& saved)
{
    restoreState(saved);
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(belongs(*entry.pane));
}

void Workspace::refreshTheme()
{
    m_source->refreshTheme();
    for (const Entry& entry : m_panes)
        entry.pane->refreshTheme();
}

} // namespace sunder
