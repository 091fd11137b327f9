#include "panes/compare/comparison_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/compare/comparison_summary.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QFont>

#include <map>
#include <ranges>

namespace sunder {
namespace {

/// Maximum number of ops listed below a group; a last row gives the number of the others.
constexpr std::size_t kListed = 2'000;

int directionOf(std::int64_t change)
{
    return change > 0 ? 1 : change < 0 ? -1 : 0;
}

/// Returns the moved ops per group, in graph order. O(moved × log groups).
std::vector<std::vector<NodeId>> dealt(const AssignmentComparison& calls)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> groups;
    for (std::size_t i = 0; i < calls.groups.size(); ++i)
        groups.emplace(std::pair(calls.groups[i].before, calls.groups[i].after), i);
    std::vector<std::vector<NodeId>> nodes(calls.groups.size());
    for (const MovedNode& moved : calls.moved)
        nodes[groups.at({moved.before, moved.after})].push_back(moved.node);
    return nodes;
}

} // namespace

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
    m_moved.clear();
    m_moves = m_loads = m_step = -1;
    if (m_comparison) {
        const auto* cut = std::get_if<CutRunComparison>(&m_comparison->what);
        if (cut != nullptr)
            addTotals(*cut);
        addMoves();
        if (cut != nullptr) {
            addTimes();
            addParts(cut->cuts);
            addDevices(cut->devices);
        } else if (const auto* modules = std::get_if<ModuleComparison>(&m_comparison->what)) {
            addModules(*modules);
        } else if (const auto* search = std::get_if<RegionRunComparison>(&m_comparison->what)) {
            addGroups(*search);
        }
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
    const TagLook* look = lookOfTag(looks, part);
    return look != nullptr ? look->name : m_nowhere;
}

std::optional<TagStyle> ComparisonModel::styleOf(const std::vector<TagLook>& looks, std::int32_t part)
{
    const TagLook* look = lookOfTag(looks, part);
    return look != nullptr ? std::optional(look->style) : std::nullopt;
}

QString ComparisonModel::pairName(const PartPair& pair) const
{
    const QString before = partName(m_before, pair.before);
    const QString after = partName(m_after, pair.after);
    return pair.before < 0 ? after : pair.after < 0 || before == after ? before : tr("%1 → %2").arg(before, after);
}

void ComparisonModel::addTotals(const CutRunComparison& made)
{
    const CutComparison& cuts = made.cuts;
    const std::int32_t heading = add(-1, {.what = tr("Totals")});
    const auto row = [&](const QString& what, std::uint64_t before, std::uint64_t after, std::int64_t change) {
        add(heading,
            {.what = what,
             .before = bytesText(before),
             .after = bytesText(after),
             .change = changeText(change),
             .worse = directionOf(change)});
    };
    const auto largest = [](const CutMetrics& metrics) {
        return metrics.largest < 0 ? std::uint64_t(0)
                                   : metrics.parts[static_cast<std::size_t>(metrics.largest)].sizes.usedBytes();
    };
    row(tr("Bytes cut"), cuts.before.cutBytes, cuts.after.cutBytes, cuts.cutBytesChange());
    row(tr("Largest part, peak"), largest(cuts.before), largest(cuts.after), cuts.largestChange());
    if (made.torchBefore || made.torchAfter) {
        const auto counted = [](const std::optional<std::uint64_t>& bytes) {
            return bytes ? bytesText(*bytes) : tr("no partition");
        };
        const std::int64_t change = static_cast<std::int64_t>(made.torchAfter.value_or(0))
            - static_cast<std::int64_t>(made.torchBefore.value_or(0));
        add(heading,
            {.what = tr("Largest part, PyTorch"),
             .before = counted(made.torchBefore),
             .after = counted(made.torchAfter),
             .change = made.torchBefore && made.torchAfter ? changeText(change) : QString()});
    }
    row(tr("Duplicate weights"), cuts.before.duplicatedBytes, cuts.after.duplicatedBytes, cuts.duplicatedBytesChange());
}

void ComparisonModel::addMoves()
{
    const QString nowhere[] = {tr("no part"), tr("no module"), tr("in no group")};
    m_nowhere = nowhere[static_cast<std::size_t>(m_comparison->kind())];
    const AssignmentComparison& calls = m_comparison->calls();
    const std::int32_t heading = add(-1,
                                     {.what = calls.moved.empty() ? tr("Moved ops") : tr("Moved ops (ringed)"),
                                      .change = countText(calls.moved.size(), "op")});
    m_moves = heading;
    m_moved = dealt(calls);
    for (std::size_t i = 0; i < calls.groups.size(); ++i) {
        const MoveGroup& group = calls.groups[i];
        const std::int32_t at = add(heading,
                                    {.what = countText(group.calls, "op"),
                                     .before = partName(m_before, group.before),
                                     .after = partName(m_after, group.after),
                                     .change = tr("%1 of results").arg(bytesText(group.bytes)),
                                     .swatches = {std::nullopt, styleOf(m_before, group.before), styleOf(m_after, group.after)}});
        for (const NodeId node : m_moved[i] | std::views::take(kListed))
            add(at, {.what = text(m_source->graph()[node].name), .node = node});
    }
}

/// Adds the headings that setTimes() fills.
void ComparisonModel::addTimes()
{
    m_loads = add(-1, {.what = tr("Loads")});
    m_step = add(-1, {.what = tr("Step")});
}

void ComparisonModel::addParts(const CutComparison& cuts)
{
    const std::int32_t heading = add(-1,
                                     {.what = tr("Parts"),
                                      .before = countText(cuts.before.parts.size(), "part"),
                                      .after = countText(cuts.after.parts.size(), "part"),
                                      .change = changeText(cuts.partCountChange(), "part")});
    const auto used = [](const CutMetrics& metrics, std::int32_t part) {
        return part < 0 ? QObject::tr("absent") : bytesText(metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes());
    };
    for (const PartPair& pair : cuts.parts) {
        const std::int64_t change = cuts.usedChange(pair);
        add(heading,
            {.what = pairName(pair),
             .before = used(cuts.before, pair.before),
             .after = used(cuts.after, pair.after),
             .change = changeText(change),
             .worse = directionOf(change),
             .swatches = {std::nullopt, styleOf(m_before, pair.before), styleOf(m_after, pair.after)}});
    }
}

void ComparisonModel::addDevices(const std::vector<DeviceChange>& devices)
{
    if (devices.empty())
        return;
    const std::int32_t heading = add(-1, {.what = tr("Devices")});
    const auto used = [](const std::optional<std::uint64_t>& value, std::uint64_t overflow) {
        if (!value)
            return QObject::tr("absent");
        return overflow == 0 ? bytesText(*value)
                             : QObject::tr("%1, %2 over capacity").arg(bytesText(*value), bytesText(overflow));
    };
    for (const DeviceChange& device : devices) {
        const auto change = static_cast<std::int64_t>(device.usedAfter.value_or(0))
            - static_cast<std::int64_t>(device.usedBefore.value_or(0));
        const QColor own(QString::fromStdString(device.color));
        add(heading,
            {.what = text(device.name),
             .before = used(device.usedBefore, device.overflowBefore),
             .after = used(device.usedAfter, device.overflowAfter),
             .change = changeText(change),
             .worse = directionOf(change),
             .swatches = {own.isValid() ? std::optional(tagStyle(currentTheme(), own)) : std::nullopt}});
    }
}

void ComparisonModel::addModules(const ModuleComparison& modules)
{
    const auto count = [](std::size_t number, const char* noun) { return countText(number, noun); };
    const auto nodes = [&](const std::optional<std::size_t>& number) { return number ? count(*number, "node") : tr("absent"); };
    const std::int64_t change = static_cast<std::int64_t>(modules.nodesAfter) - static_cast<std::int64_t>(modules.nodesBefore);
    const std::int32_t heading = add(
        -1,
        {.what = tr("Modules"),
         .before = tr("%1, %2").arg(count(modules.modulesBefore, "module"), count(modules.nodesBefore, "node")),
         .after = tr("%1, %2").arg(count(modules.modulesAfter, "module"), count(modules.nodesAfter, "node")),
         .change = changeText(change, "node"),
         .worse = directionOf(change)});
    std::size_t listed = 0;
    for (const ModuleChange& module : modules.modules) {
        if (++listed > kListed)
            break;
        const std::int64_t grown = static_cast<std::int64_t>(module.nodesAfter.value_or(0))
            - static_cast<std::int64_t>(module.nodesBefore.value_or(0));
        add(heading,
            {.what = module.path.empty() ? tr("root module") : text(module.path),
             .before = nodes(module.nodesBefore),
             .after = nodes(module.nodesAfter),
             .change = !module.nodesBefore ? tr("new")
                 : !module.nodesAfter      ? tr("removed")
                                           : changeText(grown, "node")});
    }
}

void ComparisonModel::addGroups(const RegionRunComparison& search)
{
    const RegionComparison& regions = search.regions;
    const std::int64_t saved = static_cast<std::int64_t>(regions.savedAfter()) - static_cast<std::int64_t>(regions.savedBefore());
    const auto all = [](const std::vector<GroupFigures>& groups, std::uint64_t saves) {
        return tr("%1, %2 saved").arg(countText(groups.size(), "group"), text(formatCount(saves)));
    };
    const std::int32_t heading = add(-1,
                                     {.what = tr("Groups"),
                                      .before = all(regions.groupsBefore, regions.savedBefore()),
                                      .after = all(regions.groupsAfter, regions.savedAfter()),
                                      .change = changeText(saved, "op"),
                                      .worse = -directionOf(saved)});
    const auto figures = [](std::int32_t group, const GroupFigures& of) {
        return group < 0 ? tr("absent")
                         : tr("×%1 of %2, %3 saved").arg(of.regions).arg(countText(of.length, "op"), text(formatCount(of.saved)));
    };
    for (const PartPair& pair : regions.parts) {
        const GroupFigures before = regions.figuresBefore(pair);
        const GroupFigures after = regions.figuresAfter(pair);
        const std::int64_t gain = static_cast<std::int64_t>(after.saved) - static_cast<std::int64_t>(before.saved);
        add(heading,
            {.what = pairName(pair),
             .before = figures(pair.before, before),
             .after = figures(pair.after, after),
             .change = pair.before < 0 ? tr("gained")
                 : pair.after < 0      ? tr("lost")
                                       : changeText(gain, "op"),
             .worse = -directionOf(gain)});
    }
    const std::int64_t nodes = static_cast<std::int64_t>(search.nodesAfter) - static_cast<std::int64_t>(search.nodesBefore);
    const std::int32_t size = add(-1, {.what = tr("Size")});
    add(size,
        {.what = tr("Nodes in the model"),
         .before = countText(search.nodesBefore, "node"),
         .after = countText(search.nodesAfter, "node"),
         .change = changeText(nodes, "node"),
         .worse = directionOf(nodes)});
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
    if (m_moves < 0 || (isHeading ? static_cast<std::int32_t>(index.internalId()) : at.parent) != m_moves)
        return nodes;
    if (!isHeading)
        return m_moved[static_cast<std::size_t>(at.place)];
    for (const MovedNode& moved : m_comparison->calls().moved)
        nodes.push_back(moved.node);
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
        return folded(!at.tip.isEmpty()   ? at.tip
                          : at.parent < 0 ? at.what
                                          : tr("%1: %2 before, %3 after")
                                                .arg(at.what, at.before.isEmpty() ? QStringLiteral("–") : at.before,
                                                     at.after.isEmpty() ? QStringLiteral("–") : at.after));
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
        const auto column = static_cast<std::size_t>(index.column());
        return column < at.swatches.size() && at.swatches[column] ? QVariant(tagSwatch(*at.swatches[column], currentTheme()))
                                                                  : QVariant();
    }
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Figure"), tr("Before"), tr("After"), tr("Change")};
    return titles[section];
}

} // namespace sunder

#include "moc_comparison_model.cpp"
