#pragma once

#include "panes/hierarchy/fact_table.h"
#include "panes/hierarchy/hierarchy_model.h"
#include "panes/result_pane.h"
#include "panes/run_graph_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>
#include <QTreeView>

class QAction;
class QStackedWidget;

namespace sunder {

/// The model with its module hierarchy given back: the tree of modules, and of the one that is selected the graph, the
/// signature and the parameters that sank into it. Enter on a call goes into the module that it calls, Backspace up.
class HierarchyPane final : public ResultPane {
    Q_OBJECT

public:
    HierarchyPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    /// Null where only modules are held and nothing runs.
    [[nodiscard]] GraphView* graphInFront() override { return graphInSight() ? m_graph : nullptr; }
    void refreshTheme() override;

    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] HierarchyModel& model() { return *m_model; }
    [[nodiscard]] QLineEdit& filter() { return *m_filter; }
    [[nodiscard]] RunGraphView& graph() { return *m_graph; }
    [[nodiscard]] FactTable& signature() { return *m_signature; }
    [[nodiscard]] FactTable& tensors() { return *m_tensors; }
    [[nodiscard]] FactTable& notes() { return *m_notes; }
    [[nodiscard]] QTabWidget& facts() { return *m_facts; }
    /// Path of the module in sight; empty for the whole model, or for none.
    [[nodiscard]] QString currentPath() const;

signals:
    /// The person wants it done in another way.
    void runRequested(const sunder::UnflattenOptions& options);

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;
    void documentChanged(Changes what) override;

private:
    // hierarchy_pane_layout.cpp
    void makeOptions();
    QWidget* makeSide();
    QWidget* makeModule();
    QTreeView* makeTable(FactTable& model, const QString& name);
    void connectViews();

    void takeTree(std::shared_ptr<const HierarchyTree> tree);
    void choose(const QModelIndex& index);
    void showEntry(std::int32_t entry, int call = 0);
    void showGraph();
    void showFacts();
    void showBreadcrumbs();
    void goInto(NodeId call);
    void goUp();
    void refreshGraphTags();
    void setCurrent(std::int32_t entry);
    [[nodiscard]] const Program& program() const { return m_shown->result.program; }
    [[nodiscard]] const HierarchyTree::Entry* entry() const;
    [[nodiscard]] GraphId graphInSight() const;
    /// The module in which all these nodes run, and which of its calls; −1: none.
    [[nodiscard]] std::pair<std::int32_t, int> holderOf(const std::vector<NodeId>& sources) const;
    [[nodiscard]] std::vector<std::int32_t> pathTo(std::int32_t entry) const;

    Jobs& m_jobs;
    QAction* m_asUpstream = nullptr;
    QAction* m_byBuffer = nullptr;
    QAction* m_byAttribute = nullptr;
    HierarchyModel* m_model;
    FactTable* m_signature;
    FactTable* m_tensors;
    FactTable* m_notes;
    QLineEdit* m_filter = nullptr;
    QTreeView* m_tree = nullptr;
    Breadcrumbs* m_where = nullptr;
    QComboBox* m_calls = nullptr; ///< of a dispatcher: which call is in sight
    QStackedWidget* m_graphs = nullptr;
    QLabel* m_noGraph = nullptr;
    RunGraphView* m_graph = nullptr;
    QTabWidget* m_facts = nullptr;

    UnflattenOutcomePtr m_shown;
    std::shared_ptr<const HierarchyTree> m_modules;
    std::int32_t m_entry = -1;
    int m_call = 0;
    std::vector<NodeRef> m_selected;
    bool m_following = false;
    bool m_picking = false;
};

} // namespace sunder
