#pragma once

#include "passes/balance/balance_program.h"

#include <QAbstractTableModel>

namespace sunder {

/// Returns the words for what limits a stage: "compute", "transfers", "memory", "ops that stay together".
QString bindingText(BalanceBinding binding);

/// The stages of a balanced cut, one per row, with load, memory, and what binds them.
class BalanceModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { StageColumn, DeviceColumn, OpsColumn, LoadColumn, ShareColumn, MemoryColumn, BindsColumn, ColumnCount };
    /// Length of the bar behind a text, 0 … 1; invalid: no bar.
    static constexpr int kBarRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    /// Null: no rows.
    void setPlan(BalancePlanPtr plan);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(std::size_t stage, int column) const;
    [[nodiscard]] QString tip(std::size_t stage, int column) const;
    [[nodiscard]] QVariant bar(std::size_t stage, int column) const;

    BalancePlanPtr m_plan;
    std::vector<std::size_t> m_ops; ///< per stage
    double m_sum = 0; ///< of all loads
};

} // namespace sunder
