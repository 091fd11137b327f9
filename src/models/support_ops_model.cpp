#include "models/support_ops_model.h"

#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace sunder {

std::vector<Qt::CheckState> SupportOpsModel::statesOf(const SupportCut& cut) const
{
    const std::unordered_set<InternedString> listed(cut.rules.supported.begin(), cut.rules.supported.end());
    const bool isEvery = listed.contains(intern("*"));
    std::vector<Qt::CheckState> states;
    for (const SupportEntry& entry : cut.list(m_list)) {
        const ModelOperator& ops = entry.ops;
        const bool isListed = m_list == SupportList::operators && !ops.name.empty() && (isEvery || listed.contains(ops.name));
        states.push_back(ops.supported == ops.ops            ? Qt::Checked
                             : ops.supported > 0 || isListed ? Qt::PartiallyChecked
                                                             : Qt::Unchecked);
    }
    return states;
}

void SupportOpsModel::setCut(SupportCutPtr cut, SupportList list)
{
    // The ops of a model stay, so rows keep their selection and place.
    const bool isSame = cut && m_cut && cut->source == m_cut->source && list == m_list;
    if (!isSame)
        beginResetModel();
    m_cut = std::move(cut);
    m_list = list;
    m_states = m_cut ? statesOf(*m_cut) : std::vector<Qt::CheckState>();
    if (!isSame)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int SupportOpsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_states.size());
}

int SupportOpsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags SupportOpsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    const SupportEntry& entry = m_cut->list(m_list)[static_cast<std::size_t>(index.row())];
    if (index.column() == NameColumn && !entry.ops.name.empty())
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QString SupportOpsModel::cell(const SupportEntry& entry, int column) const
{
    const ModelOperator& ops = entry.ops;
    switch (column) {
    case NameColumn: return ops.name.empty() ? tr("modules of unknown class") : withoutOps(text(ops.name));
    case OpsColumn:
        return ops.supported == 0 || ops.supported == ops.ops
            ? text(formatCount(ops.ops))
            : tr("%1 of %2").arg(text(formatCount(ops.supported)), text(formatCount(ops.ops)));
    case DtypesColumn: {
        QStringList names;
        for (const InternedString dtype : ops.dtypes)
            names += text(dtype);
        return names.join(QStringLiteral(", "));
    }
    case BytesColumn: return bytesText(ops.bytes);
    default: return {};
    }
}

QString SupportOpsModel::tip(const SupportEntry& entry, int column) const
{
    const ModelOperator& ops = entry.ops;
    if (column != NameColumn && column != OpsColumn)
        return cell(entry, column);
    const QString counts =
        tr("%1: %2 of %3 supported").arg(cell(entry, NameColumn), text(formatCount(ops.supported)), countText(ops.ops, "op"));
    if (ops.name.empty())
        return tr("%1. A class that is unknown cannot be listed.").arg(counts);
    if (ops.supported > 0 && ops.supported < ops.ops)
        return tr("%1. Op names, dtypes, or declined inputs exclude the others.").arg(counts);
    return counts;
}

QVariant SupportOpsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const SupportEntry& entry = m_cut->list(m_list)[row];
    const bool isFigure = index.column() == OpsColumn || index.column() == BytesColumn;
    switch (role) {
    case Qt::DisplayRole: return cell(entry, index.column());
    case Qt::ToolTipRole: return folded(tip(entry, index.column()));
    case Qt::CheckStateRole:
        return index.column() == NameColumn && !entry.ops.name.empty() ? QVariant(m_states[row]) : QVariant();
    case Qt::TextAlignmentRole: return QVariant((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kSortRole:
        return index.column() == OpsColumn  ? QVariant(static_cast<qulonglong>(entry.ops.ops))
            : index.column() == BytesColumn ? QVariant(static_cast<qulonglong>(entry.ops.bytes))
                                            : QVariant(cell(entry, index.column()));
    default: return {};
    }
}

bool SupportOpsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    const bool isSupported = value.toInt() == Qt::Checked;
    m_states[static_cast<std::size_t>(index.row())] = isSupported ? Qt::Checked : Qt::Unchecked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit ticked(index.row(), isSupported);
    return true;
}

QVariant SupportOpsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == OpsColumn || section == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString what = m_list == SupportList::operators ? tr("Operator")
        : m_list == SupportList::classes                  ? tr("Class")
                                                          : tr("Module");
    const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {what, tr("A tick means that the accelerator supports it")},
        {tr("Ops"), tr("Number of ops in the model; “2 of 5”: supported ones of all")},
        {tr("Dtypes"), tr("Dtypes of the results of these ops")},
        {tr("Bytes"), tr("Size of the results of these ops")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_support_ops_model.cpp"
