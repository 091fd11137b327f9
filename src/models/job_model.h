#pragma once

#include "jobs/jobs.h"

#include <QAbstractTableModel>

namespace sunder {

/// The jobs of this session, oldest first: title, progress or outcome, time.
class JobModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { TitleColumn, StateColumn, TimeColumn, ColumnCount };
    enum Role { PermilleRole = Qt::UserRole + 1, RunningRole, QuietRole };

    explicit JobModel(const Jobs& jobs, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] JobId jobOf(const QModelIndex& index) const;

private:
    const Jobs& m_jobs;
};

} // namespace sunder
