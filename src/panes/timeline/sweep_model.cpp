#include "panes/timeline/sweep_model.h"

#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/amounts.h"

#include <QFont>

#include <array>
#include <utility>

namespace sunder {

void SweepModel::setSweep(std::shared_ptr<const Sweep> sweep)
{
    beginResetModel();
    m_sweep = std::move(sweep);
    endResetModel();
}

int SweepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_sweep ? 0 : static_cast<int>(m_sweep->rows.size());
}

int SweepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SweepModel::cell(std::size_t at, int column) const
{
    const SweepRow& row = m_sweep->rows[at];
    const bool runs = row.refusal.empty();
    switch (column) {
    case ScheduleColumn: return text(name(row.schedule));
    case StagesColumn: return tr("%1 on %2").arg(row.sizes.stages).arg(row.sizes.ranks);
    case BatchesColumn: return text(formatCount(row.sizes.microBatches));
    case StepColumn: return runs ? text(formatSeconds(row.step)) : QString();
    case ThroughputColumn: return runs ? QString::number(row.throughput, 'g', 4) : QString();
    case BubbleColumn: return runs ? tr("%1%").arg(QString::number(100 * row.bubble, 'f', 1)) : QString();
    case PeakColumn: return runs ? bytesText(row.peakBytes) : QString();
    case BindsColumn: return !runs ? tr("cannot run") : row.fits ? text(name(row.binds)) : tr("does not fit");
    default: return {};
    }
}

QVariant SweepModel::sortKey(std::size_t at, int column) const
{
    const SweepRow& row = m_sweep->rows[at];
    switch (column) {
    case StagesColumn: return row.sizes.stages + row.sizes.ranks / 1e6;
    case BatchesColumn: return row.sizes.microBatches;
    case StepColumn: return row.step;
    case ThroughputColumn: return row.throughput;
    case BubbleColumn: return row.bubble;
    case PeakColumn: return static_cast<qulonglong>(row.peakBytes);
    default: return cell(at, column);
    }
}

QVariant SweepModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto at = static_cast<std::size_t>(index.row());
    const SweepRow& row = m_sweep->rows[at];
    const bool isNumber = index.column() > ScheduleColumn && index.column() < BindsColumn;
    switch (role) {
    case Qt::DisplayRole: return cell(at, index.column());
    case Qt::ToolTipRole:
        return folded(row.refusal.empty()
                          ? tr("%1\nDouble-click or press Enter to open its timeline.").arg(cell(at, index.column())).trimmed()
                          : text(row.refusal));
    case Qt::AccessibleTextRole:
        return index.column() == ScheduleColumn && isBest(at) ? tr("%1, best that fits").arg(cell(at, ScheduleColumn))
                                                              : cell(at, index.column());
    case Qt::TextAlignmentRole: return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return index.column() == ScheduleColumn && isBest(at) ? QVariant(themedIcon(QStringLiteral("proven"))) : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return isBest(at) ? QVariant(font) : QVariant();
    }
    case Qt::ForegroundRole:
        if (!row.refusal.empty())
            return currentTheme().dim;
        if (!row.fits && (index.column() == BindsColumn || index.column() == PeakColumn))
            return currentTheme().error;
        return isBest(at) && index.column() == ScheduleColumn ? QVariant(currentTheme().proven) : QVariant();
    case kSortRole: return sortKey(at, index.column());
    default: return {};
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section > ScheduleColumn && section < BindsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> titles = {{
        {tr("Schedule"), tr("Order of forward and backward passes; the best row that fits has a check mark")},
        {tr("Stages"), tr("Number of stages, and of the devices that they are on")},
        {tr("Batches"), tr("Micro-batches of a step")},
        {tr("Step"), tr("Time of a step")},
        {tr("Rate"), tr("Throughput: micro-batches per second")},
        {tr("Bubble"), tr("Share of the devices' time without compute")},
        {tr("Peak"), tr("Peak memory of the device with the largest share of its memory in use")},
        {tr("Limited by"), tr("What limits the busiest device; rows that do not fit into memory, and schedules that cannot run")},
    }};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)].first;
    return role == Qt::ToolTipRole ? QVariant(titles[static_cast<std::size_t>(section)].second) : QVariant();
}

} // namespace sunder

#include "moc_sweep_model.cpp"
