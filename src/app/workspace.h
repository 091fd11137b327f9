#pragma once

#include "app/pane_table.h"
#include "document/document.h"
#include "layout/box_layout.h"
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

/// The source in the middle and the results beside it: docks that the person puts where they like, next to each other,
/// behind each other as tabs, or in windows of their own. A result that comes shows the panes that it has. Until somebody moves
/// them they stand in two rows where each has the height to show a graph, else all behind each other. Where there is no width for
/// two panes the source is one of the tabs.
class Workspace final : public QMainWindow {
    Q_OBJECT

public:
    Workspace(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);

    [[nodiscard]] SourcePane& source() { return *m_source; }
    [[nodiscard]] SubmodulesPane& submodules() { return *m_submodules; }
    [[nodiscard]] PartitionDagPane& partitionDag() { return *m_partitionDag; }
    [[nodiscard]] ComparePane& comparePane() { return *m_compare; }
    /// Panes without a result say how to get one.
    void arrange(const Arrangement& arrangement);
    /// Docks in their first places; those that have something to show are seen.
    void reset();
    /// Brings up the comparison of two runs.
    void compare(int before, int after);
    [[nodiscard]] RegionsPane& regions() { return *m_regions; }
    [[nodiscard]] HierarchyPane& hierarchy() { return *m_hierarchy; }
    /// The pane fills the workspace; the same pane again: all are as before.
    void toggleMaximized(Pane& pane);
    /// Brings the source to the front where results lie over it.
    void raiseSource();
    /// Commands that show and hide the panes, for a menu.
    [[nodiscard]] std::vector<QAction*> paneActions() const;
    /// The panes that are in sight, the source first.
    [[nodiscard]] std::vector<Pane*> panesInSight() const;
    /// All but the source, by their ids.
    [[nodiscard]] std::vector<std::pair<QString, Pane*>> namedPanes() const;
    /// The panes that are open, be it behind others, and show a graph or another drawing; the source first.
    [[nodiscard]] std::vector<Pane*> panesWithPictures() const;
    void refreshTheme();
    /// Looks and moves as the person wants, from now on.
    void follow(const Preferences& preferences);
    /// Rows of docks, as the workspace has placed them.
    [[nodiscard]] int rows() const { return m_rows; }
    /// The source is a tab among the results.
    [[nodiscard]] bool isNarrow() const { return m_isNarrow; }
    /// Where the docks are and how large, as bytes for the settings.
    [[nodiscard]] QByteArray saveArrangement() const;
    /// Of an earlier session; docks stay hidden until there is a result for them.
    void restoreArrangement(const QByteArray& saved);

signals:
    void exportRequested(sunder::Pane* pane);
    /// Of whatever pane: see Pane and ResultPane.
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
        ResultPane* result; ///< the pane, when it shows the result of one run
    };

    void addDock(const PaneDescription& about, Pane* pane);
    void connectPanes();
    template <typename T>
    [[nodiscard]] T* find() const;
    void showResults(ResultKind kind);
    void hideEmpty();
    void close(const Entry& entry);
    [[nodiscard]] QDockWidget* dockOf(const Pane& pane) const;
    /// There is something to see in it.
    [[nodiscard]] bool isWanted(const Entry& entry) const;
    /// Some above, the others as tabs below; in one row all as tabs.
    void placeDocks();
    /// As many rows as have room now, with the same docks in sight.
    void placeAgain();
    /// The same where that is others than now.
    void placeLater();
    [[nodiscard]] int rowsThatFit() const;
    [[nodiscard]] bool isTooNarrow() const;
    /// The source becomes a dock, or what the docks stand around.
    void dockSource(bool isDocked);
    [[nodiscard]] QWidget& sourceHolder() const;
    [[nodiscard]] int arrangementVersion() const;
    void shareRoom();
    void giveRoom(const Pane& pane, int wanted);
    /// The graph of a part in front.
    void showPart(const QString& name);
    void putBeside(const std::vector<QDockWidget*>& docks);

    Document& m_document;
    SourcePane* m_source;
    SubmodulesPane* m_submodules = nullptr;
    PartitionDagPane* m_partitionDag = nullptr;
    ComparePane* m_compare = nullptr;
    ZoomLinks* m_zoomLinks;
    RegionsPane* m_regions = nullptr;
    HierarchyPane* m_hierarchy = nullptr;
    std::vector<Entry> m_panes;
    std::map<ResultKind, int> m_shown; ///< runs whose panes were brought up
    QDockWidget* m_sourceDock; ///< holds the source while the workspace is narrow, else hidden
    bool m_isNarrow = false;
    int m_rows = 1;
    bool m_isPlacing = false;
    bool m_isMoved = false; ///< a person has placed docks elsewhere: they stay there
    Pane* m_maximized = nullptr;
    QByteArray m_before; ///< state before one was maximized
};

} // namespace sunder
