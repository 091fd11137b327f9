#pragma once

#include "document/document.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace sunder {

/// What each op of the model was taken for when tags of another export were taken over: those of one kind as rows, in graph order,
/// and what is lost.
class MatchModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OpColumn, WhyColumn, TagColumn, ColumnCount };
    /// Which rows there are.
    enum class Show : std::uint8_t { open, identity, structure, moved, inPlace, undecided, added, lost, accepted };
    static constexpr int kShows = 9;

    explicit MatchModel(Document& document, QObject* parent = nullptr);

    void setShow(Show show);
    [[nodiscard]] Show show() const { return m_show; }
    /// How many rows there are, or would be.
    [[nodiscard]] int count(Show show) const { return m_counts[static_cast<std::size_t>(show)]; }
    /// "moved 3".
    [[nodiscard]] QString titleOf(Show show) const;
    /// "12 matched by identity, 3 moved; tags of model.pt2"; empty where none were taken over.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The place of the row's call among those of the transfer; nothing for what is lost.
    [[nodiscard]] std::optional<std::size_t> callOf(int row) const;
    /// Where a row leads: its op, or those around what is lost.
    [[nodiscard]] std::vector<NodeId> nodesOf(int row) const;

private:
    struct Row {
        bool isLost = false;
        std::size_t index = 0; ///< among the calls of the transfer, or what is lost
    };

    void rebuild();
    [[nodiscard]] bool isShown(const AlignedCall& call, bool isAccepted, Show show) const;
    [[nodiscard]] QString textOf(const Row& row, int column) const;
    [[nodiscard]] QString tagText(const Row& row) const;

    Document& m_document;
    TagTransferPtr m_transfer;
    Show m_show = Show::open;
    std::vector<Row> m_rows;
    std::array<int, kShows> m_counts = {};
};

} // namespace sunder
