#pragma once

#include "models/tree_filter.h"
#include "passes/unflatten/hierarchy_tree.h"

#include <QAbstractItemModel>
#include <QLineEdit>
#include <QTreeView>
#include <memory>

namespace sunder {

/// The module tree of an unflattened program. Texts are created when a row is displayed. A filter keeps modules whose path or
/// class contains a text, and their ancestors.
class HierarchyModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role { ClassRole = Qt::UserRole + 1, CallsRole, OpsRole, MatchRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// Sets the tree and its program; null clears the model.
    void setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program);
    [[nodiscard]] const std::shared_ptr<const HierarchyTree>& tree() const { return m_tree; }
    /// Sets the filter text; empty shows all modules. O(modules × path length).
    void setFilter(const QString& text);
    /// The number of modules that match the filter; 0 without a filter.
    [[nodiscard]] int matchCount() const { return m_shown.matchCount; }
    /// Returns the row of the first module that matches the filter; invalid if none does.
    [[nodiscard]] QModelIndex firstMatch() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    /// Returns the tree entry of a row; −1: none.
    [[nodiscard]] std::int32_t entryOf(const QModelIndex& index) const;
    /// Returns the row of an entry; invalid if it is filtered out.
    [[nodiscard]] QModelIndex indexOf(std::int32_t entry) const;
    /// Describes the peculiarities of a module, e.g. "Shared: the same module as layers.1."; empty if there are none.
    [[nodiscard]] QString remarkOf(std::int32_t entry) const;

private:
    [[nodiscard]] const HierarchyTree::Entry& at(std::int32_t entry) const
    {
        return m_tree->entries[static_cast<std::size_t>(entry)];
    }
    [[nodiscard]] const std::vector<std::int32_t>& childrenOf(std::int32_t entry) const;
    [[nodiscard]] QString pathOf(std::int32_t entry) const;
    void filter();

    std::shared_ptr<const HierarchyTree> m_tree;
    std::shared_ptr<const Program> m_program;
    QString m_filter;
    TreeFilter m_shown; ///< visible entries
};

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
