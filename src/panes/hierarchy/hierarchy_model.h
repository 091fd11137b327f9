#pragma once

#include "models/tree_filter.h"
#include "passes/unflatten/hierarchy_tree.h"

#include <QAbstractItemModel>

namespace sunder {

/// The module tree of an unflattened program; texts are made when a row is looked at. A filter leaves modules whose path
/// or class holds a text, with those on the way to them.
class HierarchyModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role { ClassRole = Qt::UserRole + 1, CallsRole, OpsRole, MatchRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// `program` is what the tree is of; both null for none.
    void setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program);
    [[nodiscard]] const std::shared_ptr<const HierarchyTree>& tree() const { return m_tree; }
    /// Empty shows all. O(modules × length of their paths).
    void setFilter(const QString& text);
    /// Modules that match the filter; 0 without one.
    [[nodiscard]] int matchCount() const { return m_shown.matchCount; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    /// Entry of the tree behind a row; −1: none.
    [[nodiscard]] std::int32_t entryOf(const QModelIndex& index) const;
    /// Row of an entry; invalid when the filter hides it.
    [[nodiscard]] QModelIndex indexOf(std::int32_t entry) const;
    /// "shared with layers.1, …; dispatches 2 calls": in words what is special about a module; empty when nothing is.
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
    TreeFilter m_shown; ///< what the filter leaves
};

} // namespace sunder
