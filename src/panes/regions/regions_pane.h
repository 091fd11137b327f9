#pragma once

#include "panes/regions/occurrences_panel.h"
#include "panes/regions/region_graph_view.h"
#include "panes/result_pane.h"
#include "panes/run_graph_view.h"
#include "panes/run_options_button.h"
#include "passes/deduplicate/sharing_summary.h"
#include "passes/regions/occurrences.h"

#include <QTabBar>

#include <memory>

namespace sunder {

class RegionCardsPanel;

namespace Ui {
class RegionsPane;
}

/// The repeated regions of the model: a card per group, its occurrences in program order as a rail in tag colors, the graph of
/// one occurrence, the corresponding nodes in the others, the boundary reasons, and the ops outside all regions.
class RegionsPane final : public ResultPane {
    Q_OBJECT

public:
    RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~RegionsPane() override;
    [[nodiscard]] GraphView* graphInFront() override;
    void refreshTheme() override;
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

    /// Adds the commands for all occurrences of the selected region; none if the selection is not within one group.
    void addOccurrenceActions(QMenu& menu);

    [[nodiscard]] QListView& cards();
    [[nodiscard]] QListView& rail();
    [[nodiscard]] QListView& elsewhere() { return m_elsewhere->list(); }
    [[nodiscard]] QListView& reasons();
    [[nodiscard]] RegionCardsPanel& side();
    [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
    [[nodiscard]] RegionGraphView& graph() { return *m_graph; }
    [[nodiscard]] RunOptionsButton& options() { return *m_options; }
    [[nodiscard]] QToolButton& paintButton() { return m_elsewhere->paintAll().button(); }
    /// Returns the text that is shown if nothing repeats.
    [[nodiscard]] QString emptyText() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void documentChanged(Changes what) override;

private:
    // defined in regions_pane_layout.cpp
    void makeBody();
    void makeGraphs();
    void connectViews();

    // defined in regions_pane.cpp
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

    // defined in regions_pane_links.cpp
    void goTo(int row, bool whole);
    void pickPlaces(const std::vector<std::size_t>& places);
    void pickEdge(const SelectedEdge& edge);
    /// The end of a source edge that is in a region of the group.
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
    /// The occurrences and the places in the region of nodes that belong to the current group; each ascending.
    struct Here {
        std::vector<std::size_t> occurrences;
        std::vector<std::size_t> places;
    };
    [[nodiscard]] Here hereOf(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::optional<std::size_t> groupOfSelection() const;

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    RunOptionsButton* m_options;
    std::unique_ptr<Ui::RegionsPane> m_ui;
    OccurrenceModel* m_occurrences;
    OccurrencesPanel* m_elsewhere = nullptr;
    QTabBar* m_tabs = nullptr;
    RegionGraphView* m_graph = nullptr;
    RunGraphView* m_main = nullptr; ///< the graph that calls the subgraphs; created when its tab is first shown

    RegionsOutcomePtr m_shown;
    RegionIndex m_index;
    int m_card = -1; ///< row of the current card
    std::shared_ptr<const RegionDetails> m_details;
    std::vector<std::size_t> m_selected; ///< selected places in the current occurrence
    std::vector<std::size_t> m_hovered;  ///< places hovered in any pane
    std::vector<NodeRef> m_selectedInRun;
    bool m_following = false; ///< the pane is following a selection and must not set one
    bool m_picking = false;   ///< the selection originates here
};

} // namespace sunder
