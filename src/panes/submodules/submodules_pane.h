#pragma once

#include "panes/result_pane.h"
#include "panes/submodules/submodule_view.h"
#include "passes/split_by_tags/split_by_tags.h"

#include <QTabBar>

class QStackedWidget;

namespace sunder {

class RunOptionsButton;
class SubmodulesBar;
class TileGrid;

/// The result of a cut: the main graph and all parts, as tabs or as tiles, each with interface, graph, code, and names; linked
/// with the source and with each other.
class SubmodulesPane final : public ResultPane {
    Q_OBJECT

public:
    SubmodulesPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
    [[nodiscard]] SubmodulesBar& bar() { return *m_bar; }
    [[nodiscard]] TileGrid& tiles() { return *m_tiles; }
    /// The page in front, and its graph; null if there is none.
    [[nodiscard]] SubmoduleView* currentPage();
    [[nodiscard]] RunGraphView* currentView();
    [[nodiscard]] GraphView* graphInFront() override { return currentView(); }
    void showGraph(GraphId graph) override;
    void refreshTheme() override;

    [[nodiscard]] RunOptionsButton& runOptions() { return *m_options; }

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Page {
        PartPage about;
        NodeId call = {};              ///< call of the part in the main graph
        SubmoduleView* view = nullptr; ///< created when first visible
    };

    void buildBar();
    void giveRoomToGraph();
    void showOptions();
    void addPages();
    void removePages();
    void showPage(int index);
    void step(int by);
    void setTiled(bool tiled);
    void openGraphs();
    void fillTile(int index);
    void emptyTile(int index);
    SubmoduleView& viewOf(int index);
    void connectGraph(int index, RunGraphView& graph);
    void activate(const RunGraphView& view, NodeId node);
    void showSummary();
    void readNames();
    void passSelection(const Page& page);
    void showFound();
    void passFound(const Page& page);
    void showHits(int index, std::size_t hits);
    [[nodiscard]] std::vector<NodeId> callsOf(const std::vector<NodeRef>& nodes) const;
    [[nodiscard]] PictureStyle styleOf(const Page& page) const;

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    QTabBar* m_tabs;
    SubmodulesBar* m_bar;
    RunOptionsButton* m_options;
    QStackedWidget* m_stack; ///< pages; the grid of tiles
    TileGrid* m_tiles;
    bool m_interfaceChosen = false; ///< the user opened or closed the interface table, now or in an earlier session
    bool m_isGivingRoom = false;
    std::vector<Page> m_pages;
    SplitOutcomePtr m_shown;
    std::shared_ptr<const NameTable> m_names;
    std::vector<NodeRef> m_selected;
    std::vector<NodeRef> m_hits;    ///< search hits in the run: copies of the found ops, not nodes that pass on their values
    std::vector<NodeId> m_hitCalls; ///< calls of the parts with hits
};

} // namespace sunder
