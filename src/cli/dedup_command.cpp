#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/verification.h"
#include "passes/deduplicate/deduplicate.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kDedupOptions[] = {
    CommandOption{Takes::output, "o", "OUT.fxj", "Deduplicated program to write."}.required(),
    flag("no-verify", "Skip verification of the result."),
};

std::string describe(const Graph& graph, std::span<const NodeId> region)
{
    return graph.node(region.front()).name.str() + " … " + graph.node(region.back()).name.str() + " ("
        + formatCount(region.size(), "node") + ")";
}

void describeResult(const Program& source, const DedupResult& result, Outcome& outcome)
{
    JsonWriter& json = outcome.json;
    json.key("subgraphs");
    json.list(result.subgraphs, [&](const SharedSubgraph& subgraph) {
        outcome.say(subgraph.name.str() + ": called " + formatCount(subgraph.calls.size(), "time"));
        json.object([&] {
            json.member("name", subgraph.name.view());
            json.member("calls", subgraph.calls.size());
            json.member("nodes", result.program.graph(subgraph.graph).size());
        });
    });
    json.key("abandoned");
    json.list(result.abandoned, [&](const AbandonedRegion& region) {
        outcome.say("not deduplicated: " + describe(source.rootGraph(), region.nodes) + ": " + region.why);
        json.object([&] {
            json.key("nodes");
            json.list(region.nodes, [&](NodeId id) { json.value(source.rootGraph().node(id).name.view()); });
            json.member("why", region.why);
        });
    });
    outcome.say(formatCount(source.rootGraph().size(), "node") + " → " + formatCount(result.program.rootGraph().size(), "node")
                + " and " + formatCount(result.subgraphs.size(), "shared subgraph"));
}

Result<Outcome> runDedup(const Invocation& invocation)
{
    const RegionOptions options = givenOptions<RegionOptions>(invocation);
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    ProvableDedup dedup(source, options);
    for (;;) {
        SUNDER_TRY(const DedupResult result, invocation.timer.measure("pass", [&] { return dedup.attempt(invocation.monitor); }));
        Outcome outcome;
        SUNDER_TRY(const VerifyReport report, verifyResult(invocation, source, result.program, outcome));
        if (!invocation.isSet("no-verify") && dedup.refine(result, report))
            continue;
        describeResult(source, result, outcome);
        SUNDER_PROPAGATE(writeOutput(invocation, result.program, invocation.value("o")));
        outcome.say("wrote " + invocation.value("o"));
        return outcome;
    }
}

} // namespace

Command dedupCommand()
{
    return {"dedup", "IN", "Replace repeated regions with calls of shared subgraphs.",
            joined({passSwitches<RegionOptions>(), kDedupOptions}), runDedup};
}

} // namespace sunder::cli
