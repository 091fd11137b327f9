#include "panes/moves/moves_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"

#include <unordered_set>

namespace sunder {

void MovesModel::setMoves(SnapshotPtr source, MovesOutcomePtr outcome)
{
    beginResetModel();
    m_source = std::move(source);
    m_outcome = std::move(outcome);
    endResetModel();
}

NodeId MovesModel::nodeOf(int row) const
{
    const MoveNonTensorResult& moves = m_outcome->result.moves;
    const auto at = static_cast<std::size_t>(row);
    return at < moves.moved.size() ? moves.moved[at].node : moves.staying[at - moves.moved.size()].node;
}

int MovesModel::rowOf(const std::vector<NodeRef>& nodes) const
{
    std::unordered_set<std::uint32_t> wanted;
    for (const NodeRef ref : nodes)
        wanted.insert(ref.node.index());
    for (int row = 0; row < rowCount() && !wanted.empty(); ++row)
        if (wanted.contains(nodeOf(row).index()))
            return row;
    return -1;
}

int MovesModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_outcome)
        return 0;
    return static_cast<int>(m_outcome->result.moves.moved.size() + m_outcome->result.moves.staying.size());
}

int MovesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString MovesModel::tagName(std::uint32_t tag) const
{
    return text(m_outcome->before.order[tag]);
}

QString MovesModel::cell(int row, int column) const
{
    if (column == OpColumn)
        return text(m_source->graph()[nodeOf(row)].name);
    const MoveNonTensorResult& moves = m_outcome->result.moves;
    const auto at = static_cast<std::size_t>(row);
    if (at < moves.moved.size())
        return column == WhereColumn ? tr("%1 → %2").arg(tagName(moves.moved[at].from), tagName(moves.moved[at].to))
                                     : tr("moved");
    const StayingNode& stay = moves.staying[at - moves.moved.size()];
    return column == WhereColumn ? tagName(stay.subgraph) : tr("stays: %1").arg(text(stay.why));
}

QVariant MovesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool stays = static_cast<std::size_t>(index.row()) >= m_outcome->result.moves.moved.size();
    switch (role) {
    case Qt::DisplayRole: return cell(index.row(), index.column());
    case Qt::ToolTipRole: return folded(cell(index.row(), index.column()));
    case Qt::ForegroundRole:
        return index.column() == WhyColumn ? QVariant(stays ? currentTheme().warning : currentTheme().proven) : QVariant();
    case StaysRole: return stays;
    default: return {};
    }
}

QVariant MovesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Op"), tr("Tag"), tr("Result")};
    return titles[section];
}

} // namespace sunder

#include "moc_moves_model.cpp"
