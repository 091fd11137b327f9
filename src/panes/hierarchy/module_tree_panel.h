#pragma once

#include "panes/hierarchy/hierarchy_model.h"

#include <QLineEdit>
#include <QTreeView>

#include <memory>

namespace sunder {

namespace Ui {
class ModuleTreePanel;
}

/// The module tree with a filter field above it.
class ModuleTreePanel final : public QWidget {
    Q_OBJECT

public:
    explicit ModuleTreePanel(QWidget* parent);
    ~ModuleTreePanel() override;
    [[nodiscard]] QTreeView& tree();
    [[nodiscard]] QLineEdit& filter();
    [[nodiscard]] HierarchyModel& model() { return *m_model; }
    /// Shows another tree, expanded to the first informative level; null clears the panel.
    void setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program);
    /// Makes this entry current without emitting chosen().
    void setCurrent(std::int32_t entry);

signals:
    /// Emitted when the user selects a module.
    void chosen(std::int32_t entry);
    /// Emitted when the user opens the graph of the selected module.
    void entered();
    void upRequested();

private:
    void setFilter(const QString& text);
    void goToMatches();
    void choose(const QModelIndex& index);

    HierarchyModel* m_model;
    std::int32_t m_current = -1; ///< entry that is current, also while the filter hides its row
    bool m_following = false;
    std::unique_ptr<Ui::ModuleTreePanel> m_ui;
};

} // namespace sunder
