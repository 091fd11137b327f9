#pragma once

#include "passes/balance/schedule_sweep.h"

#include <QAbstractTableModel>

#include <memory>

namespace sunder {

/// The rows of a sweep of schedules.
class SweepModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        ScheduleColumn,
        StagesColumn,
        BatchesColumn,
        StepColumn,
        ThroughputColumn,
        BubbleColumn,
        PeakColumn,
        BindsColumn,
        ColumnCount
    };
    static constexpr int kSortRole = Qt::UserRole + 1; ///< a number or a text

    using QAbstractTableModel::QAbstractTableModel;
    /// Null: no rows.
    void setSweep(std::shared_ptr<const Sweep> sweep);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(std::size_t at, int column) const;
    [[nodiscard]] QVariant sortKey(std::size_t at, int column) const;
    [[nodiscard]] bool isBest(std::size_t at) const { return m_sweep->best == at; }

    std::shared_ptr<const Sweep> m_sweep;
};

} // namespace sunder
