#pragma once

#include "analysis/snapshot.h"
#include "document/runs/moves_outcome.h"

#include <QAbstractTableModel>

namespace sunder {

/// Result of "Move non-tensor ops": a row for each moved op, then a row for each op that stays at a boundary, with the reason.
class MovesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OpColumn, WhereColumn, WhyColumn, ColumnCount };
    enum Role { StaysRole = Qt::UserRole + 1 }; ///< bool

    using QAbstractTableModel::QAbstractTableModel;

    /// Sets the result; null clears the model.
    void setMoves(SnapshotPtr source, MovesOutcomePtr outcome);
    [[nodiscard]] NodeId nodeOf(int row) const;
    /// Returns the first row of one of these nodes; -1: none.
    [[nodiscard]] int rowOf(const std::vector<NodeRef>& nodes) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString tagName(std::uint32_t tag) const;
    [[nodiscard]] QString cell(int row, int column) const;

    SnapshotPtr m_source;
    MovesOutcomePtr m_outcome;
};

} // namespace sunder
