#pragma once

#include "document/document.h"
#include "document/tag_transfer.h"

#include <QAbstractItemModel>

#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// An op of the model in the list of matches, or a lost old op.
struct MatchRow {
    bool isLost = false;
    std::size_t index = 0; ///< among the calls of the transfer, or among the lost ops
};

/// Consecutive rows of one block of the model that were matched in the same way: one line that can be expanded.
struct MatchGroup {
    std::size_t first = 0;
    std::size_t count = 1;
    QString block = {}; ///< e.g. "layers.3"; empty for a single row
};

/// Groups the rows; each row is in one group. Two rows, and ops outside modules, are not combined. O(rows).
[[nodiscard]] std::vector<MatchGroup> groupsOf(const TagTransfer& transfer, std::span<const MatchRow> rows);

/// Returns why the ops of a group got their tag, or none, by the candidate blocks: "may match ops in layers.2 or layers.3, or be
/// new".
[[nodiscard]] QString reasonOf(const TagTransfer& transfer, std::span<const MatchRow> group);

/// The matches of a tag transfer from another export: a row per op of one kind, in graph order, or per lost op. Ops of a block
/// that were matched in the same way are children of one row.
class MatchModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { OpColumn, WhyColumn, TagColumn, ColumnCount };
    /// The kinds of rows.
    enum class Show : std::uint8_t { open, identity, structure, moved, inPlace, undecided, added, lost, accepted };
    static constexpr int kShows = 9;

    explicit MatchModel(Document& document, QObject* parent = nullptr);

    void setShow(Show show);
    [[nodiscard]] Show show() const { return m_show; }
    /// Returns the number of ops of a kind.
    [[nodiscard]] int count(Show show) const { return m_counts[static_cast<std::size_t>(show)]; }
    /// Returns e.g. "moved 3".
    [[nodiscard]] QString titleOf(Show show) const;
    /// Returns e.g. "Tags of model.pt2: 12 matched by identity, 3 moved"; empty without a transfer.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Returns the indices of a row's calls in the transfer; empty for lost ops.
    [[nodiscard]] std::vector<std::size_t> callsOf(const QModelIndex& index) const;
    /// Returns the indices of all shown calls.
    [[nodiscard]] std::vector<std::size_t> calls() const;
    /// Returns the nodes of a row: its ops, or the surroundings of a lost op.
    [[nodiscard]] std::vector<NodeId> nodesOf(const QModelIndex& index) const;

private:
    /// Returns the ops of a row: one, or those of a group.
    [[nodiscard]] std::span<const MatchRow> rowsOf(const QModelIndex& index) const;
    void rebuild();
    void noteTags();
    [[nodiscard]] bool isShown(const AlignedCall& call, bool isAccepted, Show show) const;
    [[nodiscard]] QString textOf(const QModelIndex& index, int column) const;
    [[nodiscard]] QString textOf(const MatchRow& row, int column) const;
    [[nodiscard]] QString tagText(const MatchRow& row) const;

    Document& m_document;
    TagTransferPtr m_transfer;
    Show m_show = Show::open;
    std::vector<MatchRow> m_rows;
    std::vector<MatchGroup> m_groups; ///< groups of the rows, in order
    std::array<int, kShows> m_counts = {};
};

} // namespace sunder
