#include "panes/compare/comparison_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/format.h"

#include <QFont>

#include <cstdlib>

namespace sunder {

namespace {

/// Ops listed below a group; beyond, the group says how many there are.
constexpr std::size_t kListed = 2'000;

QString bytes(std::uint64_t value)
{
    return text(formatBytes(value));
}

int directionOf(std::int64_t change)
{
    return change > 0 ? 1 : change < 0 ? -1 : 0;
}

} // namespace

QString changeText(std::int64_t bytes)
{
    if (bytes == 0)
        return QObject::tr("no change");
    const QString size = text(formatBytes(static_cast<std::uint64_t>(std::llabs(bytes))));
    return (bytes > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

void ComparisonModel::setComparison(SnapshotPtr source, RunComparisonPtr comparison, std::vector<TagLook> before,
                                    std::vector<TagLook> after)
{
    beginResetModel();
    m_source = std::move(source);
    m_comparison = std::move(comparison);
    m_before = std::move(before);
    m_after = std::move(after);
    m_rows.clear();
    m_tops.clear();
    if (m_comparison) {
        addMoves();
        addParts();
        addDevices();
    }
    endResetModel();
}

std::int32_t ComparisonModel::add(std::int32_t parent, Row row)
{
    const auto at = static_cast<std::int32_t>(m_rows.size());
    std::vector<std::int32_t>& siblings = parent < 0 ? m_tops : m_rows[static_cast<std::size_t>(parent)].children;
    row.parent = parent;
    row.place = static_cast<int>(siblings.size());
    siblings.push_back(at);
    m_rows.push_back(std::move(row));
    return at;
}

QString ComparisonModel::partName(const std::vector<TagLook>& looks, std::int32_t part) const
{
    return part >= 0 && static_cast<std::size_t>(part) < looks.size() ? looks[static_cast<std::size_t>(part)].name
                                                                      : tr("no part");
}

void ComparisonModel::addMoves()
{
    const CutComparison& cuts = m_comparison->cuts;
    const std::int32_t heading =
        add(-1, {.what = tr("Moved ops"), .change = text(formatCount(cuts.moved.size(), "op"))});
    for (const MoveGroup& group : cuts.groups) {
        const std::int32_t at = add(heading, {.what = text(formatCount(group.calls, "op")),
                                              .before = partName(m_before, group.before),
                                              .after = partName(m_after, group.after),
                                              .change = tr("%1 of results").arg(bytes(group.bytes))});
        std::size_t listed = 0;
        for (const MovedNode& moved : cuts.moved) {
            if (moved.before != group.before || moved.after != group.after)
                continue;
            if (++listed > kListed)
                break;
            add(at, {.what = text(m_source->graph()[moved.node].name), .node = moved.node});
        }
    }
}

void ComparisonModel::addParts()
{
    const CutComparison& cuts = m_comparison->cuts;
    const std::int32_t heading = add(-1, {.what = tr("Parts"),
                                          .before = text(formatCount(cuts.before.parts.size(), "part")),
                                          .after = text(formatCount(cuts.after.parts.size(), "part"))});
    const auto used = [](const CutMetrics& metrics, std::int32_t part) {
        return part < 0 ? QObject::tr("not there") : bytes(metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes());
    };
    for (const PartPair& pair : cuts.parts) {
        const QString before = partName(m_before, pair.before);
        const QString after = partName(m_after, pair.after);
        const QString name = pair.before < 0 ? after : pair.after < 0 || before == after ? before : tr("%1 → %2").arg(before, after);
        const std::int64_t change = cuts.usedChange(pair);
        add(heading, {.what = name,
                      .before = used(cuts.before, pair.before),
                      .after = used(cuts.after, pair.after),
                      .change = changeText(change),
                      .worse = directionOf(change)});
    }
}

void ComparisonModel::addDevices()
{
    if (m_comparison->devices.empty())
        return;
    const std::int32_t heading = add(-1, {.what = tr("Devices")});
    const auto used = [](const std::optional<std::uint64_t>& value, std::uint64_t overflow) {
        if (!value)
            return QObject::tr("not there");
        return overflow == 0 ? bytes(*value) : QObject::tr("%1, %2 too much").arg(bytes(*value), bytes(overflow));
    };
    for (const DeviceChange& device : m_comparison->devices) {
        const auto change = static_cast<std::int64_t>(device.usedAfter.value_or(0)) - static_cast<std::int64_t>(device.usedBefore.value_or(0));
        add(heading, {.what = text(device.name),
                      .before = used(device.usedBefore, device.overflowBefore),
                      .after = used(device.usedAfter, device.overflowAfter),
                      .change = changeText(change),
                      .worse = directionOf(change)});
    }
}

std::vector<NodeId> ComparisonModel::nodesOf(const QModelIndex& index) const
{
    std::vector<NodeId> nodes;
    if (!index.isValid() || !m_comparison)
        return nodes;
    const Row& at = row(index);
    if (at.node)
        return {at.node};
    const bool isHeading = at.parent < 0;
    if (m_tops.empty() || (isHeading ? at.place != 0 : at.parent != m_tops.front()))
        return nodes;
    for (const MovedNode& moved : m_comparison->cuts.moved) {
        if (!isHeading) {
            const MoveGroup& group = m_comparison->cuts.groups[static_cast<std::size_t>(at.place)];
            if (moved.before != group.before || moved.after != group.after)
                continue;
        }
        nodes.push_back(moved.node);
    }
    return nodes;
}

QModelIndex ComparisonModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const std::vector<std::int32_t>& siblings = parent.isValid() ? this->row(parent).children : m_tops;
    return createIndex(row, column, static_cast<quintptr>(siblings[static_cast<std::size_t>(row)]));
}

QModelIndex ComparisonModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || row(index).parent < 0)
        return {};
    const std::int32_t up = row(index).parent;
    return createIndex(m_rows[static_cast<std::size_t>(up)].place, 0, static_cast<quintptr>(up));
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return 0;
    return static_cast<int>(parent.isValid() ? row(parent).children.size() : m_tops.size());
}

int ComparisonModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& at = row(index);
    const QString cells[] = {at.what, at.before, at.after, at.change};
    switch (role) {
    case Qt::DisplayRole: return cells[index.column()];
    case Qt::ToolTipRole:
        return at.parent < 0 ? at.what : tr("%1: %2 before, %3 now").arg(at.what, at.before.isEmpty() ? QStringLiteral("–") : at.before, at.after.isEmpty() ? QStringLiteral("–") : at.after);
    case Qt::FontRole: {
        QFont font;
        font.setWeight(at.parent < 0 ? QFont::DemiBold : QFont::Normal);
        if (at.node)
            font.setFamily(QStringLiteral("monospace"));
        return font;
    }
    case Qt::ForegroundRole:
        if (index.column() == ChangeColumn && at.worse != 0)
            return at.worse > 0 ? currentTheme().warning : currentTheme().proven;
        return {};
    case Qt::DecorationRole: {
        const bool isMove = at.parent >= 0 && !m_tops.empty() && at.parent == m_tops.front();
        if (!isMove || (index.column() != BeforeColumn && index.column() != AfterColumn))
            return {};
        const MoveGroup& group = m_comparison->cuts.groups[static_cast<std::size_t>(at.place)];
        const bool isBefore = index.column() == BeforeColumn;
        const std::vector<TagLook>& looks = isBefore ? m_before : m_after;
        const std::int32_t part = isBefore ? group.before : group.after;
        return part >= 0 && static_cast<std::size_t>(part) < looks.size()
            ? QVariant(tagSwatch(looks[static_cast<std::size_t>(part)].style, currentTheme()))
            : QVariant();
    }
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("What"), tr("Before"), tr("After"), tr("Change")};
    return titles[section];
}

} // namespace sunder
