#pragma once

#include "models/support_cut.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// The ops that separate accelerator parts, one per row: those that are not supported first, for each break.
class SupportBreakModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { BetweenColumn, OpColumn, OperatorColumn, WhyColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    /// Null: no rows.
    void setCut(SupportCutPtr cut);
    [[nodiscard]] NodeId opAt(int row) const { return m_rows[static_cast<std::size_t>(row)].op; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::size_t gap = 0; ///< among the breaks
        NodeId op;
        bool isSupported = false;
    };

    [[nodiscard]] QString cell(const Row& row, int column) const;

    SupportCutPtr m_cut;
    std::vector<Row> m_rows;
};

} // namespace sunder
