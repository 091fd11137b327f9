#pragma once

#include "document/document.h"
#include "models/match_groups.h"

#include <QAbstractItemModel>

#include <optional>
#include <vector>

namespace sunder {

/// What each op of the model was taken for when tags of another export were taken over: those of one kind as rows, in graph order,
/// and what is lost. Ops of a block of the model that came about in the same way are one row, with them below it.
class MatchModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { OpColumn, WhyColumn, TagColumn, ColumnCount };
    /// Which rows there are.
    enum class Show : std::uint8_t { open, identity, structure, moved, inPlace, undecided, added, lost, accepted };
    static constexpr int kShows = 9;

    explicit MatchModel(Document& document, QObject* parent = nullptr);

    void setShow(Show show);
    [[nodiscard]] Show show() const { return m_show; }
    /// How many ops are shown, or would be.
    [[nodiscard]] int count(Show show) const { return m_counts[static_cast<std::size_t>(show)]; }
    /// "moved 3".
    [[nodiscard]] QString titleOf(Show show) const;
    /// "Tags of model.pt2: 12 matched by identity, 3 moved"; empty where none were taken over.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The places of the calls of a row among those of the transfer; none of what is lost.
    [[nodiscard]] std::vector<std::size_t> callsOf(const QModelIndex& index) const;
    /// All that are shown.
    [[nodiscard]] std::vector<std::size_t> calls() const;
    /// Where a row leads: its ops, or those around what is lost.
    [[nodiscard]] std::vector<NodeId> nodesOf(const QModelIndex& index) const;

private:
    /// What a row stands for: one op, or a group of them.
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
    std::vector<MatchGroup> m_groups; ///< of the rows, in their order
    std::array<int, kShows> m_counts = {};
};

} // namespace sunder
