#include "passes.h"

#include "passes/deduplicate/deduplicate.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "passes/regions/find_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "passes/unflatten/unflatten.h"
#include "verify/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace sunder::fuzz {
namespace {

/// Returns a number below `count` for each call, raised where an edge requires it; in one of sixteen cases, arbitrary numbers.
std::vector<std::int32_t> numbers(const Program& source, Random& random, int count)
{
    const Graph& graph = source.rootGraph();
    std::vector<std::int32_t> found(graph.idBound(), -1);
    const bool anyhow = random.chance(6);
    const bool consecutive = random.chance(30);
    std::int32_t last = 0;
    for (const NodeId id : graph.nodes()) {
        if (!graph.node(id).isCall())
            continue;
        std::int32_t& number = found[id.index()];
        number = random.between(0, count - 1);
        if (consecutive)
            number = last = std::min(count - 1, last + (random.chance(15) ? 1 : 0));
        for (const NodeId input : graph.inputs(id))
            number = anyhow ? number : std::max(number, found[input.index()]);
    }
    return found;
}

Result<Program> programOf(Result<SplitResult> split)
{
    if (!split)
        return tl::unexpected(split.error());
    return std::move(split->program);
}

Result<Program> runSplitByTags(const Program& source, Random& random)
{
    const int count = random.between(1, 5);
    TagAssignment tags;
    for (int i = 0; i < count; ++i)
        tags.order.push_back(intern("part" + std::to_string(i)));
    tags.tagOf = numbers(source, random, count);
    return programOf(splitByTags(source, tags, {.returnTuple = random.chance(50)}));
}

Result<Program> runSplitModule(const Program& source, Random& random)
{
    const int count = random.between(1, 5);
    PartitionAssignment partitions;
    for (int i = 0; i < count; ++i)
        partitions.ids.push_back({intern(std::to_string(i)), i});
    for (const std::int32_t number : numbers(source, random, count))
        partitions.partitionOf.push_back(number < 0 ? PartitionAssignment::kNone : static_cast<std::uint32_t>(number));
    SplitModuleOptions options{.keepOriginalOrder = random.chance(30),
                               .keepOriginalNodeNames = random.chance(50),
                               .tupleReturn = random.chance(50),
                               .dropOriginalInputNames = random.chance(30)};
    if (random.chance(30))
        options.partitionAffix = "pp";
    return programOf(splitModule(source, partitions, options));
}

/// Returns devices that each hold a good part of the program's memory.
std::vector<Device> devices(const Program& source, Random& random, bool equal)
{
    double whole = 0;
    for (const NodeId id : source.rootGraph().nodes()) {
        const std::optional<SizeBytes>& size = source.rootGraph().node(id).sizeBytes;
        whole += size ? static_cast<double>(size->total) : 64.0;
    }
    const int count = random.between(1, 4);
    std::vector<Device> found;
    const double share = static_cast<double>(random.between(20, 120)) / 100;
    for (int i = 0; i < count; ++i) {
        const double mine = equal ? share : static_cast<double>(random.between(20, 120)) / 100;
        found.push_back({"dev" + std::to_string(i), std::floor(whole * mine), i});
    }
    return found;
}

Result<Program> programOf(Result<PartitionResult> partitioned)
{
    if (!partitioned)
        return tl::unexpected(partitioned.error());
    return std::move(partitioned->split.program);
}

Result<Program> runPartition2020(const Program& source, Random& random)
{
    return programOf(sizeBasedPartition(source, devices(source, random, random.chance(90)), {.exact = random.chance(30)}));
}

Result<Program> runPartitionToday(const Program& source, Random& random)
{
    PartitionerConfig config;
    config.mode = static_cast<PartitionMode>(random.below(5));
    config.saturateHost = random.chance(20);
    config.devices = devices(source, random, false);
    config.transferBytesPerSecond = random.between(1, 20);
    const std::vector<std::int32_t> partitions = numbers(source, random, static_cast<int>(config.devices.size()));
    for (const NodeId id : source.rootGraph().nodes()) {
        const InternedString name = source.rootGraph().node(id).name;
        config.latencies.emplace_back(name, NodeLatency{0.5 * random.between(0, 6), 0.5 * random.between(0, 6)});
        if (partitions[id.index()] >= 0)
            config.nodeToPartition.emplace_back(name, partitions[id.index()]);
    }
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(config.devices.size()); ++i)
        config.partitionToDevices.push_back({i, {i}});
    return programOf(acceleratorPartition(source, config, {.asUpstream = random.chance(30)}));
}

RegionOptions regionOptions(Random& random, bool asUpstream)
{
    RegionOptions options{.asUpstream = asUpstream};
    if (random.chance(60))
        options.key = random.chance(50) ? RegionKey::structural : RegionKey::tracked;
    return options;
}

/// Returns the regions as tags of their nodes.
Result<Program> runRegions(const Program& source, Random& random)
{
    const Result<RegionResult> found = findRegions(source, regionOptions(random, random.chance(40)));
    if (!found)
        return tl::unexpected(found.error());
    Program marked = source;
    const auto mark = [&](NodeId node, const std::string& text) {
        marked.rootGraph().setTag(node, intern(source.rootGraph().node(node).tag.str() + text));
    };
    for (std::size_t g = 0; g < found->groups.size(); ++g)
        for (std::size_t r = 0; r < found->groups[g].regionCount(); ++r)
            for (const NodeId node : found->groups[g].region(r))
                mark(node, std::to_string(g) + '.' + std::to_string(r) + ' ');
    for (const RejectedRegion& rejected : found->rejected)
        for (const NodeId node : rejected.nodes)
            mark(node, rejected.why);
    return marked;
}

Result<Program> runUnflatten(const Program& source, Random& random)
{
    Result<UnflattenResult> made = unflatten(
        source, {.crossing = random.chance(30) ? CrossingValues::attribute : CrossingValues::buffer});
    if (!made)
        return tl::unexpected(made.error());
    return std::move(made->program);
}

Result<Program> programOf(Result<DedupResult> made)
{
    if (!made)
        return tl::unexpected(made.error());
    return std::move(made->program);
}

Result<Program> runDeduplicate(const Program& source, Random& random)
{
    return programOf(deduplicate(source, regionOptions(random, false)));
}

/// Becomes more cautious until the result is proven, like the command and the window.
Result<Program> runProvableDedup(const Program& source, Random& random)
{
    ProvableDedup dedup(source, regionOptions(random, false));
    while (true) {
        Result<DedupResult> result = dedup.attempt();
        if (!result)
            return programOf(std::move(result));
        const Result<VerifyReport> report = verifyResult(source, result->program);
        if (!report)
            return tl::unexpected(report.error());
        if (!dedup.refine(*result, *report))
            return std::move(result->program);
    }
}

Result<Program> runDeduplicateAsTorch(const Program& source, Random& random)
{
    return programOf(deduplicate(source, regionOptions(random, true)));
}

/// Returns the final subgraphs of nodes as their tags.
Result<Program> runMoveNonTensor(const Program& source, Random& random)
{
    const int count = random.between(2, 4);
    std::vector<NodeSubgraph> subgraphs(static_cast<std::size_t>(count));
    for (NodeSubgraph& subgraph : subgraphs)
        subgraph.isAcc = random.chance(60);
    const std::vector<std::int32_t> number = numbers(source, random, count);
    for (const NodeId id : source.rootGraph().nodes())
        if (number[id.index()] >= 0)
            subgraphs[static_cast<std::size_t>(number[id.index()])].nodes.push_back(id);
    const Result<MoveNonTensorResult> moved = moveNonTensorNodes(source.rootGraph(), subgraphs);
    if (!moved)
        return tl::unexpected(moved.error());
    Program marked = source;
    for (std::size_t i = 0; i < moved->subgraphs.size(); ++i)
        for (const NodeId node : moved->subgraphs[i].nodes)
            marked.rootGraph().setTag(node, intern(source.rootGraph().node(node).tag.str() + std::to_string(i)));
    return marked;
}

constexpr std::array kPasses{
    Pass{"split-by-tags", Pass::Input::any, Pass::Promise::torch, runSplitByTags},
    Pass{"split-module", Pass::Input::any, Pass::Promise::torch, runSplitModule},
    Pass{"move-non-tensor", Pass::Input::any, Pass::Promise::right, runMoveNonTensor},
    Pass{"partition-2020", Pass::Input::any, Pass::Promise::torch, runPartition2020},
    Pass{"partition-today", Pass::Input::any, Pass::Promise::torch, runPartitionToday},
    Pass{"unflatten", Pass::Input::exported, Pass::Promise::right, runUnflatten},
    Pass{"regions", Pass::Input::graph, Pass::Promise::right, runRegions},
    Pass{"deduplicate", Pass::Input::graph, Pass::Promise::right, runDeduplicate},
    Pass{"deduplicate-proven", Pass::Input::graph, Pass::Promise::proven, runProvableDedup},
    Pass{"deduplicate-torch", Pass::Input::graph, Pass::Promise::upstream, runDeduplicateAsTorch},
};

} // namespace

std::span<const Pass> passes()
{
    return kPasses;
}

} // namespace sunder::fuzz
