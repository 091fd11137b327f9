#pragma once

#include "analysis/outline_tree.h"
#include "canvas/picture_style.h"
#include "document/document.h"
#include "models/tag_share.h"
#include "models/tree_filter.h"

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
    /// Leaves rows whose name, path, class or operator has this text, in either case, with the modules around them and what is in
    /// modules among them; empty shows all. O(characters of all names).
    void setFilter(const QString& text);
    /// Rows that match the filter, in the order of the tree; none without one.
    [[nodiscard]] std::vector<QModelIndex> matches() const;
    /// Shares are of the parts of this cut, as the source's colours are; null: of the painted tags. O(nodes).
    void showCut(const SplitOutcomePtr& cut);
    /// How the tags look that shares speak of, or the parts.
    [[nodiscard]] std::vector<TagLook> looks(const Theme& theme) const;

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

    void filter();
    [[nodiscard]] const std::vector<std::int32_t>& childrenOf(const QModelIndex& index) const;
    void sharesChanged();
    [[nodiscard]] std::int32_t tagOf(NodeId node) const;

    const Document& m_document;
    OutlineTree m_tree;
    std::string m_filter; ///< in small letters
    TreeFilter m_shown; ///< what it leaves
    SplitOutcomePtr m_cut; ///< null: painted tags
    std::vector<std::int32_t> m_cutTable; ///< per NodeId index: the part of the cut
    mutable std::unordered_map<const OutlineTree::Entry*, TagShares> m_shares; ///< of rows that were seen, until tags change
};

} // namespace sunder
