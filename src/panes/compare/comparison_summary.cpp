#include "panes/compare/comparison_summary.h"

#include "document/text.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QObject>

#include <cstdlib>

namespace sunder {
namespace {

QString withSign(std::int64_t change, const std::string& size)
{
    if (change == 0)
        return QObject::tr("no change");
    return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + text(size);
}

std::int64_t difference(std::size_t before, std::size_t after)
{
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

QStringList factsOf(const CutRunComparison& made)
{
    QStringList facts{QObject::tr("cut %1").arg(changeText(made.cuts.cutBytesChange())),
                      QObject::tr("largest part %1").arg(changeText(made.cuts.largestChange()))};
    if (const std::int64_t parts = made.cuts.partCountChange(); parts != 0)
        facts << changeText(parts, "part");
    return facts;
}

QStringList factsOf(const ModuleComparison& made)
{
    QStringList facts;
    if (const std::int64_t modules = difference(made.modulesBefore, made.modulesAfter); modules != 0)
        facts << changeText(modules, "module");
    if (!made.modules.empty())
        facts << QObject::tr("%1 differ").arg(countText(made.modules.size(), "module"));
    if (const std::int64_t nodes = difference(made.nodesBefore, made.nodesAfter); nodes != 0)
        facts << changeText(nodes, "node");
    return facts;
}

QStringList factsOf(const RegionRunComparison& made)
{
    const RegionComparison& regions = made.regions;
    QStringList facts;
    if (const std::int64_t groups = difference(regions.groupsBefore.size(), regions.groupsAfter.size()); groups != 0)
        facts << changeText(groups, "group");
    if (const std::int64_t saved = difference(regions.savedBefore(), regions.savedAfter()); saved != 0)
        facts << QObject::tr("saved %1").arg(changeText(saved, "op"));
    if (const std::int64_t nodes = difference(made.nodesBefore, made.nodesAfter); nodes != 0)
        facts << changeText(nodes, "node");
    return facts;
}

} // namespace

QString changeText(std::int64_t bytes)
{
    return withSign(bytes, formatBytes(static_cast<std::uint64_t>(std::llabs(bytes))));
}

QString changeText(std::int64_t count, const char* noun)
{
    return withSign(count, formatCount(static_cast<std::uint64_t>(std::llabs(count)), noun));
}

QStringList comparisonSummary(const RunComparison& comparison)
{
    const std::size_t moved = comparison.calls().moved.size();
    const QStringList facts = std::visit([](const auto& made) { return factsOf(made); }, comparison.what);
    if (moved == 0 && facts.isEmpty())
        return {QObject::tr("no difference")};
    return QStringList{QObject::tr("%1 moved").arg(countText(moved, "op"))} + facts;
}

} // namespace sunder
