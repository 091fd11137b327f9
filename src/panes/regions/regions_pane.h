#pragma once

#include "panes/regions/occurrences_panel.h"
#include "panes/regions/region_graph_view.h"
#include "panes/regions/region_run_options.h"
#include "panes/result_pane.h"
#include "panes/run_graph_view.h"
#include "passes/deduplicate/region_figures.h"
#include "passes/regions/region_index.h"

#include <QTabBar>

#include <memory>

namespace sunder {

class RegionCardsPanel;

namespace Ui {
class RegionsPane;
}

/// The repeated regions of the model: a card a group, its occurrences in the order of the program as a rail coloured by
/// tags, the graph of one of them, the same place in the others, in words why they end where they do, and which ops are in none.
class RegionsPane final : public ResultPane {
    Q_OBJECT

public:
    RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~RegionsPane() override;
    [[nodiscard]] GraphView* graphInFront() override;
    void refreshTheme() override;

    /// Adds what can be done with all occurrences of the region in which the selection lies; nothing when it lies in none.
    void addOccurrenceActions(QMenu& menu);

    [[nodiscard]] QListView& cards();
    [[nodiscard]] QListView& rail();
    [[nodiscard]] QListView& elsewhere() { return m_elsewhere->list(); }
    [[nodiscard]] QListView& reasons();
    [[nodiscard]] RegionCardsPanel& side();
    [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
    [[nodiscard]] RegionGraphView& graph() { return *m_graph; }
    [[nodiscard]] RegionRunOptions& options() { return *m_options; }
    [[nodiscard]] QToolButton& paintButton() { return m_elsewhere->paintAll().button(); }
    /// Nothing repeats: what is said instead.
    [[nodiscard]] QString emptyText() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void documentChanged(Changes what) override;

private:
    // regions_pane_layout.cpp
    void makeBody();
    void makeGraphs();
    void connectViews();

    // regions_pane.cpp
    void showEmpty();
    void showTab(int tab);
    void showCard(int row);
    void takeDetails(std::shared_ptr<const RegionDetails> details);
    void refreshGraphTags();
    [[nodiscard]] std::vector<std::int32_t> tagsInMain() const;
    void showMenu(const QPoint& globalPosition);
    [[nodiscard]] const RegionGroup* group() const;
    [[nodiscard]] const RegionFigures* card() const;
    [[nodiscard]] RegionGroupRef refOf(const RegionFigures& card) const;

    // regions_pane_links.cpp
    void goTo(int row, bool whole);
    void pickPlaces(const std::vector<std::size_t>& places);
    void pickEdge(const SelectedEdge& edge);
    /// An end of an edge of the source in a region of the group.
    struct EdgePlace {
        RegionPlace at;
        bool isReader;
    };
    [[nodiscard]] std::optional<EdgePlace> placeOf(const EdgeEnds& edge) const;
    void hoverPlaces(const std::vector<std::size_t>& places);
    void hoverRow(const QModelIndex& index, bool whole);
    void showPlace();
    void showFound();
    void select(std::vector<NodeId> nodes);
    void setCurrentRow(int row);
    [[nodiscard]] int currentRow() const;
    /// Of these nodes, those of the group in sight: in which occurrences they are, and at which places; each ascending.
    struct Here {
        std::vector<std::size_t> occurrences;
        std::vector<std::size_t> places;
    };
    [[nodiscard]] Here hereOf(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::optional<std::size_t> groupOfSelection() const;

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    RegionRunOptions* m_options;
    std::unique_ptr<Ui::RegionsPane> m_ui;
    OccurrenceModel* m_occurrences;
    OccurrencesPanel* m_elsewhere = nullptr;
    QTabBar* m_tabs = nullptr;
    RegionGraphView* m_graph = nullptr;
    RunGraphView* m_main = nullptr; ///< the graph that calls the subgraphs; made when its tab first comes to the front

    RegionsOutcomePtr m_shown;
    RegionIndex m_index;
    int m_card = -1; ///< row of the card in sight
    std::shared_ptr<const RegionDetails> m_details;
    std::vector<std::size_t> m_selected; ///< places that are selected in the current occurrence
    std::vector<std::size_t> m_hovered;  ///< places under the mouse, in whatever pane
    std::vector<NodeRef> m_selectedInRun;
    bool m_following = false; ///< the pane follows a selection: it must not make one
    bool m_picking = false;   ///< the selection is being made here
};

} // namespace sunder
