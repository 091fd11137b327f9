#pragma once

#include "panes/hierarchy/hierarchy_model.h"

#include <QLineEdit>
#include <QTreeView>

#include <memory>

namespace sunder {

namespace Ui {
class ModuleTreePanel;
}

/// The tree of modules with a field above it that filters them.
class ModuleTreePanel final : public QWidget {
    Q_OBJECT

public:
    explicit ModuleTreePanel(QWidget* parent);
    ~ModuleTreePanel() override;
    [[nodiscard]] QTreeView& tree();
    [[nodiscard]] QLineEdit& filter();
    [[nodiscard]] HierarchyModel& model() { return *m_model; }
    /// Another tree, open as far as it says something; both null for none.
    void setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program);
    /// Shows this entry as the current one; nobody has chosen it.
    void setCurrent(std::int32_t entry);

signals:
    /// The person went to a module.
    void chosen(std::int32_t entry);
    /// And wants its graph.
    void entered();
    void upRequested();

private:
    void setFilter(const QString& text);
    void choose(const QModelIndex& index);

    HierarchyModel* m_model;
    bool m_following = false;
    std::unique_ptr<Ui::ModuleTreePanel> m_ui;
};

} // namespace sunder
