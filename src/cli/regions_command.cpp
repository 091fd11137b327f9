#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "parts/part_checks.h"
#include "passes/deduplicate/sharing_summary.h"
#include "passes/regions/region_boundaries.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kRegionsOptions[] = {
    flag("why", "Report why the regions of each group end where they do, and which ops are in none."),
    CommandOption{Takes::output, "o", "REGIONS.json", "Regions file to write."}.required(),
};

/// Returns e.g. "group 0: 12 regions of 34 ops, the first from layer_norm_24 to linear_81".
std::string groupLine(const Graph& graph, const RegionGroup& group, std::size_t number)
{
    return "group " + formatCount(number) + ": " + formatCount(group.regionCount(), "region") + " of "
        + formatCount(group.length, "op") + ", the first from " + graph.node(group.region(0).front()).name.str() + " to "
        + graph.node(group.region(0).back()).name.str();
}

Outcome outcomeOf(const Graph& graph, const RegionResult& result)
{
    Outcome outcome;
    std::size_t regions = 0;
    for (std::size_t i = 0; i < result.groups.size(); ++i) {
        regions += result.groups[i].regionCount();
        outcome.say(groupLine(graph, result.groups[i], i));
    }
    outcome.say(formatCount(result.groups.size(), "group") + ", " + formatCount(regions, "region") + "; "
                + formatCount(result.rejected.size(), "region") + " rejected");
    outcome.json.member("groups", result.groups.size());
    outcome.json.member("regions", regions);
    outcome.json.member("rejected", result.rejected.size());
    return outcome;
}

/// Lists why the regions of each group end where they do, except at model inputs, which need no explanation.
Result<void> sayWhy(const Program& program, const RegionOptions& options, const RegionResult& regions, Outcome& outcome)
{
    for (std::size_t group = 0; group < regions.groups.size(); ++group) {
        SUNDER_TRY(const auto boundaries, regionBoundaries(program, options, regions, group));
        outcome.say("why the regions of group " + formatCount(group) + " end where they do:");
        for (const RegionBoundary& boundary : boundaries)
            if (boundary.kind != RegionBoundary::Kind::modelInput)
                outcome.say("  " + boundary.why);
    }
    const SharingSummary sharing = sharingSummary(program, regions, nullptr);
    outcome.say("in no group: " + formatCount(sharing.unshared()) + " of " + formatCount(sharing.ops, "op"));
    for (const UnsharedOps& ops : sharing.rest)
        outcome.say("  " + formatCount(ops.nodes.size(), "op") + " " + describePlace(ops));
    return {};
}

Result<Outcome> runRegions(const Invocation& invocation)
{
    const RegionOptions options = givenOptions<RegionOptions>(invocation);
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const RegionResult regions,
               invocation.timer.measure("pass", [&] { return findRegions(program, options, invocation.monitor); }));
    SUNDER_PROPAGATE(invocation.timer.measure("write", [&] {
        return invocation.outputs.write(invocation.value("o"), [&](const std::string& at) {
            return writeRegionsFile(regionsByName(program.rootGraph(), regions), at);
        });
    }));
    Outcome outcome = outcomeOf(program.rootGraph(), regions);
    if (invocation.isSet("why"))
        SUNDER_PROPAGATE(sayWhy(program, options, regions, outcome));
    return outcome;
}

} // namespace

Command regionsCommand()
{
    return {"regions", "IN", "Find repeated regions of a model.", joined({passSwitches<RegionOptions>(), kRegionsOptions}),
            runRegions};
}

} // namespace sunder::cli
