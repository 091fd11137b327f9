#pragma once

#include "analysis/cost/cost_figures.h"
#include "analysis/outline_tree.h"
#include "canvas/picture_style.h"
#include "document/document.h"
#include "models/tag_style_of.h"
#include "models/tree_filter.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace sunder {

/// The outline: modules and nodes as a tree, with the number of ops and their distribution over tags. The second column has a
/// cost; sorting by it arranges the rows below each module.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role { ClassRole = Qt::UserRole + 1, CountRole, SharesRole, KindRole, PathRole, ShareRole };
    enum Column { NameColumn, CostColumn, ColumnCount };

    explicit OutlineModel(const Document& document, QObject* parent = nullptr);

    /// Sets the tree of the document's model; an empty tree clears it. Returns the previous tree.
    OutlineTree setTree(OutlineTree tree);
    [[nodiscard]] const OutlineTree& tree() const { return m_tree; }
    /// Keeps rows whose name, path, class, or operator contains this text (case-insensitive), their enclosing modules, and the
    /// contents of matching modules; empty shows all. O(characters of all names).
    void setFilter(const QString& text);
    /// Returns the rows that match the filter, in tree order; empty without a filter.
    [[nodiscard]] std::vector<QModelIndex> matches() const;
    /// Shows the distribution over the parts of this cut, as in the source; null: over the painted tags. O(nodes).
    void showCut(const SplitOutcomePtr& cut);
    /// Sets the figures of the cost column; null: none. O(1); sums are computed for displayed rows.
    void setFigures(const CostFiguresPtr& figures);
    /// Arranges the rows below each row by the cost column, greatest first if descending, or as in the model by the other one.
    /// O(1); rows are arranged when they are first displayed.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    /// Returns the looks of the tags, or of the parts.
    [[nodiscard]] std::vector<TagLook> looks(const Theme& theme) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Returns the nodes of a row: one, or all in a module.
    [[nodiscard]] std::vector<NodeId> nodesOf(const QModelIndex& index) const;
    /// Returns the row of a node; invalid if it has none.
    [[nodiscard]] QModelIndex indexOf(NodeId node) const;
    /// Returns the row of the module at this path; invalid if there is none.
    [[nodiscard]] QModelIndex indexOf(const QString& path) const;

private:
    [[nodiscard]] const OutlineTree::Entry* entry(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexAt(std::int32_t entry) const;
    [[nodiscard]] const TagShares& sharesOf(const OutlineTree::Entry& entry) const;
    [[nodiscard]] TagShares measure(const OutlineTree::Entry& entry) const;

    void filter();
    [[nodiscard]] const std::vector<std::int32_t>& childrenOf(std::int32_t entry) const;
    [[nodiscard]] int rowOf(std::int32_t entry) const;
    [[nodiscard]] const CostFigure& figureOf(std::int32_t entry) const;
    [[nodiscard]] QVariant costData(const QModelIndex& index, int role) const;
    /// Moves the persistent indexes to the new rows of their entries.
    void movePersistent(const QModelIndexList& from);
    void sharesChanged();
    [[nodiscard]] std::int32_t tagOf(NodeId node) const;

    const Document& m_document;
    OutlineTree m_tree;
    std::string m_filter; ///< lowercase
    TreeFilter m_shown; ///< visible rows
    SplitOutcomePtr m_cut; ///< null: painted tags
    std::vector<std::int32_t> m_cutTable; ///< per NodeId index: the part of the cut
    CostFiguresPtr m_figures;
    bool m_isByCost = false;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    mutable std::unordered_map<std::int32_t, std::vector<std::int32_t>> m_sorted; ///< children of displayed entries, by cost
    mutable std::unordered_map<std::int32_t, int> m_sortedRows; ///< rows of these children
    mutable std::unordered_map<std::int32_t, CostFigure> m_sums; ///< of displayed entries
    mutable std::unordered_map<const OutlineTree::Entry*, TagShares> m_shares; ///< cache for displayed rows, until tags change
};

} // namespace sunder
