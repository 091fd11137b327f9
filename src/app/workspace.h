#pragma once

#include "app/pane_table.h"
#include "document/document.h"
#include "layout/box_layout.h"
#include "models/balance_model.h"
#include "panes/result_pane.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <vector>

namespace sunder {

class ComparePane;
class PartitionDagPane;
class Preferences;
class SourcePane;
class ZoomLinks;
class HierarchyPane;
class RegionsPane;
class SubmodulesPane;
class TimelinePane;

/// The source in the center and the results as docks, which the user can place next to each other, as tabs, or in separate
/// windows. A new result shows its panes. Until the user moves docks, they are in two rows if each is high enough for a graph,
/// else all in tabs. If the window is too narrow for two panes, the source is one of the tabs.
class Workspace final : public QMainWindow {
    Q_OBJECT

public:
    Workspace(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);

    [[nodiscard]] SourcePane& source() { return *m_source; }
    [[nodiscard]] PartitionDagPane& partitionDag() { return *m_partitionDag; }
    /// Shows these panes, also without a result; they then explain how to get one.
    void arrange(const Arrangement& arrangement);
    /// Restores the default docks and shows those with content.
    void reset();
    /// Previews a cut in the source and in the Partition DAG, which is shown for it; null: the document's state again. `plan`: of a
    /// balanced cut.
    void showProposal(const TagAssignment* tags, const BalancePlanPtr& plan = nullptr);
    /// Hides the Partition DAG again if only the proposal showed it.
    void endProposal();
    /// Shows the comparison of two runs.
    void compare(int before, int after);
    [[nodiscard]] RegionsPane& regions() { return *m_regions; }
    [[nodiscard]] TimelinePane& timeline() const { return *m_timeline; }
    /// Maximizes a pane in the workspace; a second call restores the previous state.
    void toggleMaximized(Pane& pane);
    /// Returns the maximized pane; null if there is none.
    [[nodiscard]] Pane* maximized() const { return m_maximized; }
    /// Raises the source if results cover it.
    void raiseSource();
    /// Also gives the focus to its graph.
    void focusSource();
    /// Returns the actions that show and hide panes, for a menu.
    [[nodiscard]] std::vector<QAction*> paneActions() const;
    /// Returns the visible panes, the source first.
    [[nodiscard]] std::vector<Pane*> panesInSight() const;
    /// Returns all panes except the source, with their ids.
    [[nodiscard]] std::vector<std::pair<QString, Pane*>> namedPanes() const;
    /// Returns the open panes that show a graph or other drawing, including those behind other tabs; the source first.
    [[nodiscard]] std::vector<Pane*> panesWithPictures() const;
    void refreshTheme();
    /// Applies animation preferences, now and after changes.
    void follow(const Preferences& preferences);
    /// Returns the number of dock rows chosen by the workspace.
    [[nodiscard]] int rows() const { return m_rows; }
    /// Returns whether the source is a tab among the results.
    [[nodiscard]] bool isNarrow() const { return m_isNarrow; }
    /// Returns the dock positions and sizes, for the settings.
    [[nodiscard]] QByteArray saveArrangement() const;
    /// Restores the docks of an earlier session or of a project. Docks without content stay hidden.
    void restoreArrangement(const QByteArray& saved);

signals:
    void exportRequested(sunder::Pane* pane);
    /// From any pane, see Pane and ResultPane.
    void message(const QString& text);
    void edgeMenuRequested(const QPoint& globalPosition);
    void runRequested(const QString& pass, const QVariantMap& options);
    void runAgainRequested(int number);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Entry {
        const PaneDescription* about;
        Pane* pane;
        QDockWidget* dock;
        ResultPane* result; ///< the pane if it shows the result of one run, else null
    };

    void addDock(const PaneDescription& about, Pane* pane);
    void connectPanes();
    template <typename T>
    [[nodiscard]] T* find() const;
    void showResults(ResultKind kind);
    void hideEmpty();
    void close(const Entry& entry);
    [[nodiscard]] QDockWidget* dockOf(const Pane& pane) const;
    /// Returns whether the pane has content.
    [[nodiscard]] bool isWanted(const Entry& entry) const;
    /// Places docks in two rows, the lower ones as tabs; with one row, all as tabs.
    void placeDocks();
    /// Adapts the number of rows to the current size and keeps the visible docks.
    void placeVisibleDocks();
    /// Queues placeVisibleDocks() if the number of rows would change.
    void placeLater();
    [[nodiscard]] int rowsThatFit() const;
    [[nodiscard]] bool isTooNarrow() const;
    /// Moves the source into a dock, or back to the center.
    void dockSource(bool isDocked);
    [[nodiscard]] QWidget& sourceHolder() const;
    [[nodiscard]] int arrangementVersion() const;
    void shareRoom();
    void giveRoom(const Pane& pane, int wanted);
    /// Raises the graph of a part.
    void showPart(const QString& name);
    void putBeside(const std::vector<QDockWidget*>& docks);

    Document& m_document;
    SourcePane* m_source;
    SubmodulesPane* m_submodules = nullptr;
    PartitionDagPane* m_partitionDag = nullptr;
    ComparePane* m_compare = nullptr;
    ZoomLinks* m_zoomLinks;
    RegionsPane* m_regions = nullptr;
    TimelinePane* m_timeline = nullptr;
    std::vector<Entry> m_panes;
    std::map<ResultKind, int> m_shown; ///< run per result kind whose panes were shown
    QDockWidget* m_sourceDock; ///< holds the source while the workspace is narrow; otherwise hidden
    bool m_isNarrow = false;
    int m_rows = 1;
    bool m_isPlacing = false;
    bool m_isMoved = false; ///< the user has moved docks, which then stay in place
    bool m_isDagForProposal = false; ///< the Partition DAG would be hidden without a proposal
    Pane* m_maximized = nullptr;
    QByteArray m_before; ///< dock state before maximizing
};

} // namespace sunder
