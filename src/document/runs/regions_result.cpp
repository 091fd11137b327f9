#include "document/runs/regions_outcome.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "passes/deduplicate/sharing_summary.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const RegionsOutcome& searchOf(const Outcome& made)
{
    return static_cast<const RegionsOutcome&>(made);
}

/// Returns the ops that calls of shared subgraphs save; after a search, those that sharing all regions would save.
std::uint64_t savedNodes(const RegionsOutcome& outcome)
{
    std::uint64_t saved = 0;
    const std::vector<RegionGroup>& groups = outcome.regions.groups;
    const auto add = [&](const RegionGroup& group, std::size_t replaced) {
        if (replaced > 1)
            saved += std::uint64_t{group.length} * (replaced - 1);
    };
    if (const DedupResult* dedup = dedupOf(outcome))
        for (const SharedSubgraph& shared : dedup->subgraphs)
            add(groups[shared.group], shared.calls.size());
    else
        for (const RegionGroup& group : groups)
            add(group, group.regionCount());
    return saved;
}

/// Returns the groups with the names and savings that their cards show.
NamedRegions namedRegions(const RegionsOutcome& outcome, const Snapshot& source)
{
    NamedRegions named{outcome.regions, std::vector<InternedString>(outcome.regions.groups.size()),
                       std::vector<std::uint64_t>(outcome.regions.groups.size())};
    for (const RegionFigures& card : regionFigures(outcome.regions, dedupOf(outcome), source.sizes)) {
        named.names[card.group] = intern(card.name);
        named.saved[card.group] = card.saved;
    }
    return named;
}

RunComparison compareSearches(const Snapshot& source, const Outcome& before, const Outcome& after, const std::vector<Device>&)
{
    const NamedRegions namedBefore = namedRegions(searchOf(before), source);
    const NamedRegions namedAfter = namedRegions(searchOf(after), source);
    RegionRunComparison made{compareRegions(source.program, namedBefore, namedAfter)};
    const auto nodesOf = [&](const RegionsOutcome& run, std::uint64_t saved) {
        return run.dedup ? run.dedup->program.nodeCount() : source.program.nodeCount() - static_cast<std::size_t>(saved);
    };
    made.nodesBefore = nodesOf(searchOf(before), made.regions.savedBefore());
    made.nodesAfter = nodesOf(searchOf(after), made.regions.savedAfter());
    return {std::move(made)};
}

QString outcomeText(const Outcome& made)
{
    const RegionsOutcome& outcome = searchOf(made);
    const QString groups = countText(outcome.regions.groups.size(), "group");
    const QString saved = countText(savedNodes(outcome), "op");
    const DedupResult* dedup = dedupOf(outcome);
    if (dedup == nullptr || dedup->subgraphs.size() == outcome.regions.groups.size())
        return tr("%1, %2 saved").arg(groups, saved);
    return tr("%1 of %2 shared, %3 saved").arg(QString::number(dedup->subgraphs.size()), groups, saved);
}

} // namespace

ResultDescription regionsResult()
{
    return {.kind = RegionsOutcome::kKind,
            .does = tr("%1 finds repeated regions"),
            .heading = tr("REGIONS"),
            .programTitle = tr("The deduplicated program"),
            .outcome = outcomeText,
            .program = [](const Outcome& made) { return searchOf(made).dedup ? &searchOf(made).dedup->program : nullptr; },
            .map = [](const Outcome& made) { return searchOf(made).dedup ? &searchOf(made).dedup->map : nullptr; },
            .copyWith = [](const Outcome& made, const std::function<void(Program&)>& change) -> std::shared_ptr<Outcome> {
                auto copy = std::make_shared<RegionsOutcome>(searchOf(made));
                if (copy->dedup)
                    change(copy->dedup->program);
                return copy;
            },
            .compare = compareSearches};
}

} // namespace sunder
