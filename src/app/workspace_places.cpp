#include "app/workspace.h"

#include "app/keyboard_focus.h"
#include "panes/pane_header.h"
#include "panes/source_pane.h"

#include <QDockWidget>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

// Placement of docks in the workspace.

namespace sunder {
namespace {

constexpr int kRowHeight = 384;  ///< height of a pane with 300 px of graph, header, bars, and footer
/// extra height before switching to two rows, so that a panel that grows by a line causes no switch
constexpr int kRowSlack = 40;
constexpr int kTwoPanes = 900;   ///< minimum width for the source and a result
constexpr int kPlacedByUs = 0;   ///< values stored in saved arrangements
constexpr int kPlacedByHand = 1;
constexpr int kSourceIsDocked = 2;       ///< added if the source is a dock

} // namespace

int Workspace::rowsThatFit() const
{
    return !isTooNarrow() && height() >= 2 * kRowHeight + (m_rows > 1 ? 0 : kRowSlack) ? 2 : 1;
}

bool Workspace::isTooNarrow() const
{
    // before the first show, the size is not final
    return isVisible() ? width() < kTwoPanes + (m_isNarrow ? kRowSlack : 0) : m_isNarrow;
}

QWidget& Workspace::sourceHolder() const
{
    return m_isNarrow ? static_cast<QWidget&>(*m_sourceDock) : *m_source;
}

void Workspace::dockSource(bool isDocked)
{
    if (std::exchange(m_isNarrow, isDocked) == isDocked)
        return;
    // Reparenting clears the focus. The window has one even while it is inactive, e.g. before it is first activated.
    QWidget* focus = window()->focusWidget();
    const bool isFocusInside = m_source->isAncestorOf(focus);
    if (isDocked) {
        m_sourceDock->setWidget(takeCentralWidget());
    } else {
        setCentralWidget(m_source);
        removeDockWidget(m_sourceDock);
    }
    m_source->show();
    if (isFocusInside)
        focus->setFocus();
}

void Workspace::focusSource()
{
    raiseSource();
    m_source->view().takeFocus(); // not the canvas, which is hidden until the first drawing of a model is ready
}

void Workspace::raiseSource()
{
    if (m_isNarrow && m_maximized == nullptr)
        m_sourceDock->raise();
}

void Workspace::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    placeLater();
}

void Workspace::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    placeLater();
}

void Workspace::placeLater()
{
    if (rowsThatFit() != m_rows || isTooNarrow() != m_isNarrow) // queued, since docks get their sizes later
        QMetaObject::invokeMethod(this, &Workspace::placeVisibleDocks, Qt::QueuedConnection);
}

void Workspace::placeVisibleDocks()
{
    if ((rowsThatFit() == m_rows && isTooNarrow() == m_isNarrow) || m_isMoved || m_maximized != nullptr)
        return;
    const bool wasNarrow = m_isNarrow;
    const bool isSourceInFront = isInSight(*m_source);
    std::vector<QDockWidget*> shown;
    std::vector<QDockWidget*> inFront;
    int width = 0;
    for (const Entry& entry : m_panes) {
        if (entry.dock->isHidden())
            continue;
        shown.push_back(entry.dock);
        if (isInSight(*entry.pane)) {
            inFront.push_back(entry.dock);
            width = entry.dock->width();
        }
    }
    placeDocks();
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(std::ranges::find(shown, entry.dock) != shown.end());
    for (QDockWidget* dock : inFront)
        dock->raise();
    if (isSourceInFront && (wasNarrow || m_source->isAncestorOf(window()->focusWidget())))
        raiseSource();
    shareRoom();
    if (width > 0 && !wasNarrow && !m_isNarrow)
        resizeDocks(QList<QDockWidget*>{inFront.front()}, {width}, Qt::Horizontal);
}

void Workspace::placeDocks()
{
    const QScopedValueRollback placing(m_isPlacing, true);
    m_isMoved = false;
    dockSource(isTooNarrow());
    m_rows = rowsThatFit();
    std::vector<QDockWidget*> wanted; // placing docks may show them
    for (const Entry& entry : m_panes)
        if (isWanted(entry))
            wanted.push_back(entry.dock);
    QDockWidget* tabs = m_isNarrow ? m_sourceDock : nullptr;
    if (m_isNarrow) {
        if (!m_sourceDock->testAttribute(
                Qt::WA_LaidOut)) // restored by restoreState(), which Qt does not notice: it would be twice
            removeDockWidget(m_sourceDock);
        addDockWidget(Qt::RightDockWidgetArea, m_sourceDock, Qt::Vertical);
        m_sourceDock->show();
    }
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
        entry.dock->setVisible(std::ranges::find(wanted, entry.dock) != wanted.end());
}

/// Gives the docks half of the width, and each of two rows about half of the height.
void Workspace::shareRoom()
{
    if (m_isNarrow)
        return;
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

/// Enlarges a dock that shows more than before, but leaves a usable height for docks above and below it.
void Workspace::giveRoom(const Pane& pane, int wanted)
{
    QDockWidget* dock = dockOf(pane);
    const int given = std::min(wanted + pane.header().height(), height() * 2 / 3);
    if (m_isNarrow || dock->isFloating() || dock->height() >= given)
        return;
    // If only one dock is given, Qt grants only part of the requested height.
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

int Workspace::arrangementVersion() const
{
    return (m_isMoved ? kPlacedByHand : kPlacedByUs) + (m_isNarrow ? kSourceIsDocked : 0);
}

QByteArray Workspace::saveArrangement() const
{
    return m_maximized != nullptr ? m_before : saveState(arrangementVersion());
}

void Workspace::restoreArrangement(const QByteArray& saved)
{
    const QScopedValueRollback placing(m_isPlacing, true);
    bool isNarrow = restoreState(saved, kPlacedByHand + kSourceIsDocked);
    m_isMoved = isNarrow || restoreState(saved, kPlacedByHand);
    isNarrow = isNarrow || (!m_isMoved && restoreState(saved, kPlacedByUs + kSourceIsDocked));
    const bool isPlacedByUs = !m_isMoved && (isNarrow || restoreState(saved, kPlacedByUs));
    if (m_isMoved || isPlacedByUs)
        dockSource(isNarrow);
    if (isPlacedByUs) {
        const auto above = std::ranges::find_if(m_panes, [](const Entry& entry) { return entry.about->isAbove; });
        m_rows = tabifiedDockWidgets(above->dock).isEmpty() ? 2 : 1;
    }
    for (const Entry& entry : m_panes)
        entry.dock->setVisible(isWanted(entry) && !entry.dock->isHidden()); // the user may have closed it
    placeVisibleDocks();
}

} // namespace sunder
