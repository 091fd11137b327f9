#pragma once

#include "analysis/outline_tree.h"
#include "document/document.h"
#include "models/tag_share.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace sunder {

/// The outline: modules and nodes as a tree, with op counts and how the tags divide each.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role { ClassRole = Qt::UserRole + 1, CountRole, SharesRole, KindRole, PathRole };

    explicit OutlineModel(const Document& document, QObject* parent = nullptr);

    /// Takes the tree of the document's model; an empty tree for none. Returns the one before.
    OutlineTree setTree(OutlineTree tree);
    [[nodiscard]] const OutlineTree& tree() const { return m_tree; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    /// Nodes that a row stands for: one, or all in a module.
    [[nodiscard]] std::vector<NodeId> nodesOf(const QModelIndex& index) const;
    /// Row of a node; invalid when it has none.
    [[nodiscard]] QModelIndex indexOf(NodeId node) const;
    /// Row of the module at this path; invalid when there is none.
    [[nodiscard]] QModelIndex indexOf(const QString& path) const;

private:
    [[nodiscard]] const OutlineTree::Entry* entry(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexAt(std::int32_t entry) const;
    [[nodiscard]] const TagShares& sharesOf(const OutlineTree::Entry& entry) const;
    [[nodiscard]] TagShares measure(const OutlineTree::Entry& entry) const;

    const Document& m_document;
    OutlineTree m_tree;
    mutable std::unordered_map<const OutlineTree::Entry*, TagShares> m_shares; ///< of rows that were seen, until tags change
};

} // namespace sunder
