#pragma once

#include "passes/support/support_report.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// The operators to support next. Rows are cumulative, so the ticked ones are the first.
class SupportNextModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OperatorColumn, PartsColumn, OpsColumn, BytesColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    /// Ticks no row.
    void setSteps(std::vector<SupportStep> steps);
    /// Returns the operators of the ticked rows.
    [[nodiscard]] std::vector<InternedString> taken() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Ticks a row and those above it, or unticks it and those below it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void ticked();

private:
    [[nodiscard]] QString cell(const SupportStep& step, int column) const;

    std::vector<SupportStep> m_steps;
    int m_taken = 0; ///< number of ticked rows
};

} // namespace sunder
