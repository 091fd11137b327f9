#include "panes/hierarchy/fact_table.h"

#include "text/shown_text.h"

namespace sunder {

FactTable::FactTable(QStringList headings, QObject* parent) : QAbstractTableModel(parent), m_headings(std::move(headings)) {}

void FactTable::setRows(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int FactTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FactTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant FactTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString cell = row.cells.value(index.column());
    switch (role) {
    case Qt::DisplayRole: return cell;
    case Qt::ToolTipRole: return folded(row.tip.isEmpty() ? cell : row.tip);
    default: return {};
    }
}

QVariant FactTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(m_headings.value(section)) : QVariant();
}

} // namespace sunder

#include "moc_fact_table.cpp"
