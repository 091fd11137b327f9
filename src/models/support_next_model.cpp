#include "models/support_next_model.h"

#include "document/text.h"
#include "text/amounts.h"

#include <array>
#include <utility>

namespace sunder {

void SupportNextModel::setSteps(std::vector<SupportStep> steps)
{
    beginResetModel();
    m_steps = std::move(steps);
    m_taken = 0;
    endResetModel();
}

std::vector<InternedString> SupportNextModel::taken() const
{
    std::vector<InternedString> names;
    for (int row = 0; row < m_taken; ++row)
        names.push_back(m_steps[static_cast<std::size_t>(row)].name);
    return names;
}

int SupportNextModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int SupportNextModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags SupportNextModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == OperatorColumn ? flags | Qt::ItemIsUserCheckable : flags;
}

QString SupportNextModel::cell(const SupportStep& step, int column) const
{
    switch (column) {
    case OperatorColumn: return withoutOps(text(step.name));
    case PartsColumn: return text(formatCount(step.figures.partitions));
    case OpsColumn: return text(formatCount(step.figures.nodes));
    case BytesColumn: return bytesText(step.figures.bytes);
    default: return {};
    }
}

QVariant SupportNextModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SupportStep& step = m_steps[static_cast<std::size_t>(index.row())];
    const bool isName = index.column() == OperatorColumn;
    switch (role) {
    case Qt::DisplayRole: return cell(step, index.column());
    case Qt::ToolTipRole:
        return folded(tr("With %1 and the rows above: %2, %3 on the accelerator, %4 cross boundaries")
                          .arg(text(step.name), countText(step.figures.partitions, "part"), countText(step.figures.nodes, "op"),
                               bytesText(step.figures.bytes)));
    case Qt::CheckStateRole: return isName ? QVariant(index.row() < m_taken ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::TextAlignmentRole: return QVariant((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default: return {};
    }
}

bool SupportNextModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    m_taken = value.toInt() == Qt::Checked ? index.row() + 1 : index.row();
    emit dataChanged(this->index(0, OperatorColumn), this->index(rowCount() - 1, OperatorColumn), {Qt::CheckStateRole});
    emit ticked();
    return true;
}

QVariant SupportNextModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == OperatorColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {tr("Operator"), tr("Tick it to preview it with the rows above")},
        {tr("Parts"), tr("Number of parts, those on the CPU included, after this step")},
        {tr("Ops"), tr("Number of ops on the accelerator after this step")},
        {tr("Bytes crossing"), tr("Size of the values that cross boundaries after this step")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_support_next_model.cpp"
