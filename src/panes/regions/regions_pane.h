#pragma once

#include "panes/regions/occurrence_model.h"
#include "panes/regions/reason_model.h"
#include "panes/regions/region_card_model.h"
#include "panes/regions/region_graph_view.h"
#include "panes/regions/region_index.h"
#include "panes/regions/region_run_options.h"
#include "panes/result_pane.h"
#include "panes/run_graph_view.h"

#include <QLabel>
#include <QListView>
#include <QTabBar>

class QMenu;
class QStackedWidget;

namespace sunder {

/// The repeated regions of the model: a card a group, its occurrences in the order of the program as a rail coloured by
/// tags, the graph of one of them, the same place in the others, and in words why they end where they do.
class RegionsPane final : public ResultPane {
    Q_OBJECT

public:
    RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] GraphView* graphInFront() override;
    void refreshTheme() override;

    /// Adds what can be done with all occurrences of the region in which the selection lies; nothing when it lies in none.
    void addOccurrenceActions(QMenu& menu);
    /// Gives all ops of the group in sight a tag.
    void paintAll(int tag);

    [[nodiscard]] QListView& cards() { return *m_cardView; }
    [[nodiscard]] QListView& rail() { return *m_rail; }
    [[nodiscard]] QListView& elsewhere() { return *m_elsewhere; }
    [[nodiscard]] QListView& reasons() { return *m_reasonView; }
    [[nodiscard]] RegionGraphView& graph() { return *m_graph; }
    [[nodiscard]] RegionRunOptions& options() { return *m_options; }
    [[nodiscard]] QToolButton& paintButton() { return *m_paint; }
    /// Nothing repeats: what is said instead.
    [[nodiscard]] QString emptyText() const;

signals:
    /// The person wants them looked for in another way.
    void runRequested(const sunder::RegionOptions& options, bool share);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void documentChanged(Changes what) override;

private:
    // regions_pane_layout.cpp
    QWidget* makeCards();
    QWidget* makeGraph();
    QWidget* makeElsewhere();
    QListView* makeList(QAbstractItemModel& model, const QString& name, const QString& description);
    void connectViews();

    void showEmpty();
    void showTab(int tab);
    void fitCards();
    void showCard(int row);
    void takeDetails(std::shared_ptr<const RegionDetails> details);
    void goTo(int row, bool whole);
    void pickPlaces(const std::vector<std::size_t>& places);
    void hoverPlaces(const std::vector<std::size_t>& places);
    void hoverRow(const QModelIndex& index, bool whole);
    void measureShares();
    void refreshRows();
    void refreshGraphTags();
    void refreshPaintButton();
    void fillPaintMenu(QMenu& menu, std::size_t group);
    void showMenu(const QPoint& globalPosition);
    void selectGroup(std::size_t group);
    void paintGroup(std::size_t group, int tag);

    [[nodiscard]] const RegionGroup* group() const;
    [[nodiscard]] const RegionCard* card() const;
    [[nodiscard]] std::optional<std::size_t> placeInQuestion() const;
    [[nodiscard]] std::optional<std::size_t> groupOfSelection() const;
    [[nodiscard]] int currentRow() const;
    /// Occurrence of a row: rows are in the order of the program.
    [[nodiscard]] std::size_t occurrenceOf(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    void setCurrentRow(int row);

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    RegionRunOptions* m_options;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QWidget* m_body = nullptr;
    RegionCardModel* m_cards;
    OccurrenceModel* m_occurrences;
    ReasonModel* m_reasons;
    QListView* m_cardView = nullptr;
    QListView* m_rail = nullptr;
    QListView* m_elsewhere = nullptr;
    QListView* m_reasonView = nullptr;
    QLabel* m_place = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_graphs = nullptr;
    RegionGraphView* m_graph = nullptr;
    RunGraphView* m_main = nullptr; ///< the graph that calls the subgraphs; made when its tab first comes to the front
    QToolButton* m_paint = nullptr;
    QToolButton* m_paintOther = nullptr; ///< the other tags

    RegionsOutcomePtr m_shown;
    RegionIndex m_index;
    int m_card = -1; ///< row of the card in sight
    std::shared_ptr<const RegionDetails> m_details;
    std::vector<std::size_t> m_order;       ///< row → occurrence
    std::vector<std::size_t> m_rowOf;       ///< occurrence → row
    std::vector<TagShares> m_shares;        ///< per occurrence: how the tags divide it
    std::vector<std::size_t> m_selected;    ///< places that are selected in the current occurrence
    std::vector<std::size_t> m_hovered;     ///< places under the mouse, in whatever pane
    std::vector<NodeRef> m_selectedInRun;
    bool m_following = false; ///< the pane follows a selection: it must not make one
    bool m_isNewGraph = false; ///< its first picture is on its way
    bool m_picking = false;   ///< the selection is being made here
};

} // namespace sunder
