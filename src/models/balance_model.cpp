#include "models/balance_model.h"

#include "document/text.h"
#include "support/format.h"
#include "text/amounts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sunder {
namespace {

QString bytesOf(double bytes)
{
    return bytesText(static_cast<std::uint64_t>(std::max(0.0, bytes)));
}

} // namespace

QString bindingText(BalanceBinding binding)
{
    switch (binding) {
    case BalanceBinding::compute: return QObject::tr("compute");
    case BalanceBinding::transfer: return QObject::tr("transfers");
    case BalanceBinding::memory: return QObject::tr("memory");
    case BalanceBinding::group: break;
    }
    return QObject::tr("ops that stay together");
}

void BalanceModel::setPlan(BalancePlanPtr plan)
{
    beginResetModel();
    m_plan = std::move(plan);
    m_ops.clear();
    m_sum = 0;
    if (m_plan) {
        m_ops.resize(m_plan->result.loads.size());
        for (const std::uint32_t stage : m_plan->result.stageOf)
            ++m_ops[stage];
        for (const BalanceLoad& load : m_plan->result.loads)
            m_sum += load.load;
    }
    endResetModel();
}

int BalanceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->result.loads.size());
}

int BalanceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString BalanceModel::cell(std::size_t stage, int column) const
{
    const BalanceLoad& load = m_plan->result.loads[stage];
    const Device& device = m_plan->devices[m_plan->result.deviceOf[stage]];
    switch (column) {
    case StageColumn: return text(m_plan->tags.order[stage]);
    case DeviceColumn: return device.name.empty() ? QString::number(device.logicalId) : text(device.name);
    case OpsColumn: return text(formatCount(m_ops[stage]));
    case LoadColumn: return text(formatSeconds(load.load));
    case ShareColumn: return m_sum > 0 ? tr("%1%").arg(QString::number(100 * load.load / m_sum, 'f', 1)) : QString();
    case MemoryColumn:
        if (load.bytes <= 0 && !std::isfinite(device.availableBytes))
            return {};
        return std::isfinite(device.availableBytes) ? tr("%1 of %2").arg(bytesOf(load.bytes), bytesOf(device.availableBytes))
                                                    : bytesOf(load.bytes);
    case BindsColumn: return m_ops[stage] == 0 ? tr("no ops") : bindingText(m_plan->bindings[stage]);
    default: return {};
    }
}

QString BalanceModel::tip(std::size_t stage, int column) const
{
    const BalanceLoad& load = m_plan->result.loads[stage];
    if (column == LoadColumn || column == ShareColumn)
        return tr("Compute %1, transfers %2").arg(text(formatSeconds(load.seconds)), text(formatSeconds(load.transfer)));
    return cell(stage, column);
}

QVariant BalanceModel::bar(std::size_t stage, int column) const
{
    const BalanceLoad& load = m_plan->result.loads[stage];
    if (column == LoadColumn && m_plan->result.load > 0)
        return load.load / m_plan->result.load;
    const double available = m_plan->devices[m_plan->result.deviceOf[stage]].availableBytes;
    if (column == MemoryColumn && std::isfinite(available) && available > 0)
        return std::min(1.0, load.bytes / available);
    if (column == ShareColumn && m_sum > 0)
        return load.load / m_sum;
    return {};
}

QVariant BalanceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto stage = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole: return cell(stage, index.column());
    case Qt::ToolTipRole: return folded(tip(stage, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant((index.column() == OpsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kBarRole: return bar(stage, index.column());
    default: return {};
    }
}

QVariant BalanceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == OpsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {tr("Stage"), tr("Tag of the stage")},
        {tr("Device"), tr("Device of the stage")},
        {tr("Ops"), tr("Number of ops; a backward op belongs to its forward op")},
        {tr("Load"), tr("Seconds of compute and transfers; the bar is relative to the largest load")},
        {tr("Share"), tr("Share of the sum of all loads")},
        {tr("Memory"), tr("Peak memory of a run, and the memory of the device")},
        {tr("Limited by"), tr("What determines the stage")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_balance_model.cpp"
