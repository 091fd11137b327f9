#include "models/job_model.h"

#include "text/shown_text.h"

namespace sunder {

JobModel::JobModel(const Jobs& jobs, QObject* parent) : QAbstractTableModel(parent), m_jobs(jobs)
{
    connect(&jobs, &Jobs::aboutToAdd, this, [this](int row) { beginInsertRows({}, row, row); });
    connect(&jobs, &Jobs::added, this, [this] { endInsertRows(); });
    connect(&jobs, &Jobs::aboutToRemove, this, [this](int row) { beginRemoveRows({}, row, row); });
    connect(&jobs, &Jobs::removed, this, [this] { endRemoveRows(); });
    connect(&jobs, &Jobs::changed, this, [this](int row) { emit dataChanged(index(row, 0), index(row, ColumnCount - 1)); });
}

int JobModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_jobs.list().size());
}

int JobModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

JobId JobModel::jobOf(const QModelIndex& index) const
{
    return m_jobs.list()[static_cast<std::size_t>(index.row())].id;
}

QVariant JobModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const JobInfo& info = m_jobs.list()[static_cast<std::size_t>(index.row())];
    if (role == PermilleRole)
        return info.permille;
    if (role == RunningRole)
        return info.state == JobState::running;
    if (role == QuietRole)
        return info.quiet && info.state != JobState::failed && info.milliseconds < 1000;
    if (role == Qt::ToolTipRole)
        return folded(visible(info.message.isEmpty() ? info.title : info.message));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case TitleColumn: return visible(info.title);
    case StateColumn:
        switch (info.state) {
        case JobState::running: return info.step.isEmpty() ? tr("running") : visible(info.step);
        case JobState::done: return tr("done");
        case JobState::failed: return visible(info.message);
        case JobState::cancelled: return tr("canceled");
        }
        return {};
    case TimeColumn:
        if (info.state == JobState::running)
            return {};
        return info.milliseconds < 1000 ? tr("%1 ms").arg(info.milliseconds)
                                        : tr("%1 s").arg(static_cast<double>(info.milliseconds) / 1000, 0, 'f', 1);
    default: return {};
    }
}

} // namespace sunder

#include "moc_job_model.cpp"
