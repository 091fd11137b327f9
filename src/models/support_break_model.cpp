#include "models/support_break_model.h"

#include "document/text.h"

#include <array>
#include <utility>

namespace sunder {

void SupportBreakModel::setCut(SupportCutPtr cut)
{
    beginResetModel();
    m_cut = std::move(cut);
    m_rows.clear();
    if (m_cut)
        for (std::size_t gap = 0; gap < m_cut->breaks.size(); ++gap) {
            for (const NodeId op : m_cut->breaks[gap].unsupported)
                m_rows.push_back({.gap = gap, .op = op, .isSupported = false});
            for (const NodeId op : m_cut->breaks[gap].other)
                m_rows.push_back({.gap = gap, .op = op, .isSupported = true});
        }
    endResetModel();
}

int SupportBreakModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SupportBreakModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SupportBreakModel::cell(const Row& row, int column) const
{
    const SupportBreak& gap = m_cut->breaks[row.gap];
    switch (column) {
    case BetweenColumn: return tr("%1 → %2").arg(gap.after).arg(gap.before);
    case OpColumn: return text(m_cut->source->graph()[row.op].name);
    case OperatorColumn: {
        const InternedString name = m_cut->supported.operatorOf(row.op);
        return name.empty() ? tr("module of unknown class") : withoutOps(text(name));
    }
    case WhyColumn:
        return row.isSupported ? tr("Supported, but left on the CPU.")
                               : sentence(whyUnsupported(m_cut->source->program, m_cut->rules, row.op));
    default: return {};
    }
}

QVariant SupportBreakModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return cell(row, index.column());
    if (role != Qt::ToolTipRole)
        return {};
    if (index.column() == WhyColumn && row.isSupported)
        return folded(
            tr("The method leaves this op on the CPU although it is supported, for example because its group is too small."));
    if (index.column() != BetweenColumn)
        return folded(cell(row, index.column()));
    const SupportBreak& gap = m_cut->breaks[row.gap];
    return folded(tr("Runs between the accelerator parts %1 and %2")
                      .arg(text(m_cut->tags.order[gap.after]), text(m_cut->tags.order[gap.before])));
}

QVariant SupportBreakModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {tr("Parts"), tr("Numbers of the accelerator parts that the op separates")},
        {tr("Op"), tr("Select a row to select its op in the graph")},
        {tr("Operator"), tr("What the op calls")},
        {tr("Why"), tr("Why the op does not run on the accelerator")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_support_break_model.cpp"
