#pragma once

#include "panes/hierarchy/hierarchy_model.h"

#include <QLineEdit>
#include <QTreeView>

namespace sunder {

/// The tree of modules with a field above it that filters them.
class ModuleTreePanel final : public QWidget {
    Q_OBJECT

public:
    explicit ModuleTreePanel(QWidget* parent);
    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] QLineEdit& filter() { return *m_filter; }
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
    QLineEdit* m_filter;
    QTreeView* m_tree;
    bool m_following = false;
};

} // namespace sunder
