#include "models/stage_model.h"

#include "document/text.h"
#include "support/format.h"
#include "text/amounts.h"

namespace sunder {
namespace {

QString stageCell(const ProposedStage& stage, int column)
{
    switch (column) {
    case StageModel::NameColumn: return text(stage.name);
    case StageModel::OpsColumn: return text(formatCount(stage.ops));
    case StageModel::WeightsColumn: return bytesText(stage.weightBytes);
    case StageModel::UsedColumn: return bytesText(stage.usedBytes);
    case StageModel::CrossingColumn: return bytesText(stage.crossingBytes);
    case StageModel::BeginColumn: return stage.ops == 0 ? QObject::tr("no ops") : text(stage.begin);
    default: return {};
    }
}

QVariant alignmentOf(int column)
{
    const bool isText = column == StageModel::NameColumn || column == StageModel::BeginColumn;
    return QVariant((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

void StageModel::setStages(std::vector<ProposedStage> stages)
{
    beginResetModel();
    m_stages = std::move(stages);
    endResetModel();
}

int StageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_stages.size());
}

int StageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StageModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return stageCell(m_stages[static_cast<std::size_t>(index.row())], index.column());
    return {};
}

QVariant StageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    static const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {tr("Stage"), tr("Tag of the stage")},
        {tr("Ops"), tr("Number of ops")},
        {tr("Weights"), tr("Bytes of the parameters, buffers, and constants used, each counted once")},
        {tr("Peak memory"), tr("Peak memory of a run: weights, activations, and inputs")},
        {tr("Sent on"), tr("Bytes sent from this and earlier stages to later stages")},
        {tr("Starts at"), tr("First module or op of the stage in execution order")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_stage_model.cpp"
