#pragma once

#include "panes/hierarchy/module_facts_panel.h"
#include "panes/hierarchy/module_tree_panel.h"
#include "panes/result_pane.h"
#include "panes/run_graph_view.h"
#include "panes/run_options_button.h"

#include <QComboBox>

#include <memory>

namespace sunder {

namespace Ui {
class HierarchyPane;
}

/// The model with its restored module hierarchy: the module tree and, for the selected module, its graph, signature, and
/// parameters. Enter on a call opens the called module, Backspace returns to the parent.
class HierarchyPane final : public ResultPane {
    Q_OBJECT

public:
    HierarchyPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~HierarchyPane() override;
    /// Null if the selected module only holds other modules and has no graph.
    [[nodiscard]] GraphView* graphInFront() override { return graphInSight() ? m_graph : nullptr; }
    void refreshTheme() override;
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

    [[nodiscard]] ModuleTreePanel& modules();
    [[nodiscard]] ModuleFactsPanel& facts();
    [[nodiscard]] RunGraphView& graph() { return *m_graph; }
    /// Selects which call of a dispatching module is shown.
    [[nodiscard]] QComboBox& calls();
    /// Returns the path of the shown module; empty for the whole model or if there is none.
    [[nodiscard]] QString currentPath() const;

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void documentChanged(Changes what) override;

private:
    // defined in hierarchy_pane_layout.cpp
    void makeBody();
    void connectViews();

    void buildTree();
    void takeTree(std::shared_ptr<const HierarchyTree> tree);
    void choose(std::int32_t entry);
    void showEntry(std::int32_t entry, int call = 0);
    void listCalls();
    void showGraph();
    void showBreadcrumbs();
    void goInto(NodeId call);
    void goUp();
    void goToCrumb(int part);
    void refreshGraphTags();
    [[nodiscard]] const Program& program() const { return m_shown->result.program; }
    [[nodiscard]] const HierarchyTree::Entry* entry() const;
    [[nodiscard]] GraphId graphInSight() const;

    Jobs& m_jobs;
    RunOptionsButton* m_options;
    std::unique_ptr<Ui::HierarchyPane> m_ui;
    RunGraphView* m_graph = nullptr;

    UnflattenOutcomePtr m_shown;
    std::shared_ptr<const HierarchyTree> m_modules;
    std::int32_t m_entry = -1;
    int m_call = 0;
    std::string m_kept; ///< viewState() to restore once the tree is built
    std::vector<NodeRef> m_selected;
    bool m_picking = false;
};

} // namespace sunder
