#include "document/runs/run.h"

#include "document/text.h"
#include "text/amounts.h"

#include <QObject>

namespace sunder {

namespace {

/// For std::visit: one function an alternative.
template <typename... Functions>
struct Cases : Functions... {
    using Functions::operator()...;
};

std::uint64_t savedNodes(const RegionResult& regions)
{
    std::uint64_t saved = 0;
    for (const RegionGroup& group : regions.groups)
        if (group.regionCount() > 1)
            saved += std::uint64_t{group.length} * (group.regionCount() - 1);
    return saved;
}

QString nameOf(const SplitOptions& options)
{
    QString name = QObject::tr("Split by tags");
    if (options.keepSignature)
        name += QObject::tr(", signature kept");
    if (options.returnTuple)
        name += QObject::tr(", results as tuples");
    return name;
}

QString nameOf(const UnflattenOptions& options)
{
    QString name = QObject::tr("Unflatten");
    if (options.asUpstream)
        name += QObject::tr(", as torch");
    if (options.crossing == CrossingValues::attribute)
        name += QObject::tr(", values in attributes");
    return name;
}

} // namespace

QString passOf(const Run& run)
{
    return std::visit(Cases{[](const SplitOutcomePtr& split) {
                                return split->plan ? QObject::tr("Partition, %1").arg(nameOf(split->plan->request))
                                                   : nameOf(split->options);
                            },
                            [](const UnflattenOutcomePtr& unflattened) { return nameOf(unflattened->options); },
                            [](const RegionsOutcomePtr& regions) {
                                const QString pass =
                                    regions->dedup ? QObject::tr("Deduplicate") : QObject::tr("Find regions");
                                return regions->options.asUpstream ? QObject::tr("%1, as torch").arg(pass) : pass;
                            }},
                      run.result);
}

QString nameOf(const Run& run)
{
    return run.name.isEmpty() ? passOf(run) : run.name;
}

QString outcomeOf(const Run& run)
{
    return std::visit(Cases{[](const SplitOutcomePtr& split) {
                                return countText(split->split.parts.size(), "part");
                            },
                            [](const UnflattenOutcomePtr& unflattened) {
                                return countText(unflattened->result.program.modules.size(), "module");
                            },
                            [](const RegionsOutcomePtr& regions) {
                                return QObject::tr("%1, %2 saved")
                                    .arg(countText(regions->regions.groups.size(), "group"),
                                         countText(savedNodes(regions->regions), "op"));
                            }},
                      run.result);
}

const Outcome& aboutOf(const Run& run)
{
    return std::visit([](const auto& result) -> const Outcome& { return *result; }, run.result);
}

bool isVerified(const Run& run)
{
    return programOf(run) != nullptr;
}

std::size_t nodesOf(const Run& run)
{
    const Program* program = programOf(run);
    return program == nullptr ? 0 : program->nodeCount();
}

const Program* programOf(const Run& run)
{
    return std::visit(Cases{[](const SplitOutcomePtr& split) { return &split->split.program; },
                            [](const UnflattenOutcomePtr& unflattened) { return &unflattened->result.program; },
                            [](const RegionsOutcomePtr& regions) -> const Program* {
                                return regions->dedup ? &regions->dedup->program : nullptr;
                            }},
                      run.result);
}

const IdentityMap* mapOf(const Run& run)
{
    return std::visit(Cases{[](const SplitOutcomePtr& split) { return &split->split.map; },
                            [](const UnflattenOutcomePtr& unflattened) { return &unflattened->result.map; },
                            [](const RegionsOutcomePtr& regions) -> const IdentityMap* {
                                return regions->dedup ? &regions->dedup->map : nullptr;
                            }},
                      run.result);
}

QString hintOf(const VerifyReport& report)
{
    constexpr qsizetype kShown = 3;
    if (report.unknownOperators.empty())
        return {};
    QStringList names;
    for (const std::string& name : report.unknownOperators)
        names << text(name);
    const qsizetype all = names.size();
    QString listed = names.mid(0, kShown).join(QStringLiteral(", "));
    if (all > kShown)
        listed += QObject::tr(" and %1 more").arg(all - kShown);
    return QObject::tr("Nobody knows what %1 may do: Passes › Custom operators… takes a file of such schemas.").arg(listed);
}

QString textOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same: return QObject::tr("proven equal");
    case Verdict::different: return QObject::tr("NOT equal");
    case Verdict::undecided: return QObject::tr("not proven");
    }
    return {};
}

} // namespace sunder
