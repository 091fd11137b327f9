#include "panes/regions/occurrence_model.h"

namespace sunder {

void OccurrenceModel::reset(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void OccurrenceModel::update(std::vector<Row> rows)
{
    if (rows.size() != m_rows.size()) {
        reset(std::move(rows));
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty())
        emit dataChanged(index(0), index(rowCount() - 1));
}

int OccurrenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant OccurrenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return row.name;
    case NodeRole: return row.node;
    case SharesRole: return QVariant::fromValue(row.shares);
    case LitRole: return row.isLit;
    case Qt::ToolTipRole:
        return row.node.isEmpty() ? tr("%1\nOccurrence %2 of %3").arg(row.name).arg(index.row() + 1).arg(m_rows.size())
                                  : tr("%1 in %2\nOccurrence %3 of %4").arg(row.node, row.name).arg(index.row() + 1).arg(m_rows.size());
    case Qt::AccessibleTextRole:
        return row.node.isEmpty() ? tr("%1, occurrence %2 of %3").arg(row.name).arg(index.row() + 1).arg(m_rows.size())
                                  : tr("%1, %2, occurrence %3 of %4").arg(row.name, row.node).arg(index.row() + 1).arg(m_rows.size());
    default: return {};
    }
}

} // namespace sunder
