#include "cli/partition_outputs.h"

#include "analysis/cut/cut_text.h"
#include "analysis/cut/part_assignment.h"
#include "cli/files.h"
#include "io/json/json_text.h"
#include "io/side_files/figure_basis.h"
#include "passes/partition/partition_reasons.h"
#include "support/file.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <unordered_map>

namespace sunder::cli {
namespace {

/// Appends `[a, b]`, calling `append` for each item.
template <typename Items, typename Append>
void appendList(std::string& out, const Items& items, const Append& append)
{
    out += '[';
    bool isFirst = true;
    for (const auto& item : items) {
        out += isFirst ? "" : ",";
        isFirst = false;
        append(item);
    }
    out += ']';
}

void appendPartition(std::string& out, const Graph& graph, const Partition& partition, std::size_t index)
{
    out += index == 0 ? "\n" : ",\n";
    out += "{\"id\":" + std::to_string(index) + ",\"submodule\":\"" + submoduleOf(partition) + "\",\"nodes\":";
    appendList(out, partition.nodes, [&](NodeId id) { appendJsonString(out, graph[id].name.view()); });
    out += ",\"used_mem_bytes\":" + std::to_string(partition.usedBytes) + ",\"logical_device_ids\":";
    appendList(out, partition.devices, [&](std::int64_t id) { appendJsonInteger(out, id); });
    out += ",\"parents\":";
    appendList(out, partition.parents, [&](std::uint32_t p) { appendJsonInteger(out, p); });
    out += ",\"children\":";
    appendList(out, partition.children, [&](std::uint32_t p) { appendJsonInteger(out, p); });
    out += '}';
}

void appendNodes(std::string& out, const Graph& graph, const PartitionSet& set)
{
    std::vector<std::vector<std::uint32_t>> of(graph.idBound());
    for (std::uint32_t p = 0; p < set.partitions.size(); ++p)
        for (const NodeId id : set.partitions[p].nodes)
            of[id.index()].push_back(p);
    bool isFirst = true;
    for (const NodeId id : graph.nodes()) {
        if (of[id.index()].empty())
            continue;
        out += isFirst ? "\n" : ",\n";
        isFirst = false;
        appendJsonString(out, graph[id].name.view());
        out += ':';
        appendList(out, of[id.index()], [&](std::uint32_t p) { appendJsonInteger(out, p); });
    }
}

/// {"cut":[…],"partitions":[{"submodule":…,"why":…}, …],"devices":[{"logical_id":…,"why":…}, …]}
QJsonObject reasonsJson(const AllReasons& reasons, const PartitionSet& set, std::span<const Device> devices)
{
    QJsonArray sentences;
    for (const std::string& sentence : reasons.cut)
        sentences.append(text(sentence));
    QJsonArray partitions;
    for (std::size_t p = 0; p < set.partitions.size(); ++p)
        partitions.append(QJsonObject{{QStringLiteral("submodule"), text(submoduleOf(set.partitions[p]))},
                                      {QStringLiteral("why"), text(reasons.parts[p])}});
    QJsonArray places;
    for (std::size_t place = 0; place < devices.size(); ++place)
        places.append(QJsonObject{{QStringLiteral("logical_id"), static_cast<qint64>(devices[place].logicalId)},
                                  {QStringLiteral("why"), text(reasons.devices[place])}});
    return {{QStringLiteral("cut"), sentences}, {QStringLiteral("partitions"), partitions}, {QStringLiteral("devices"), places}};
}

} // namespace

Result<void> writePartitionResult(const Program& source, const PartitionResult& result, const std::string& path)
{
    const Graph& graph = source.rootGraph();
    std::string out = "{\"partitions\":[";
    for (std::size_t i = 0; i < result.set.partitions.size(); ++i)
        appendPartition(out, graph, result.set.partitions[i], i);
    out += "],\n\"node_to_partitions\":{";
    appendNodes(out, graph, result.set);
    out += '}';
    if (result.graphLatency) {
        out += ",\n\"latency\":{\"partitions\":";
        appendList(out, result.latencies, [&](double seconds) { appendJsonFloat(out, seconds); });
        out += ",\"graph\":";
        appendJsonFloat(out, *result.graphLatency);
        out += '}';
    }
    return writeFileAtomically(path, out + membersOf(basisOfPartitions(source)) + "}\n");
}

void sayPartitions(const Program& source, const PartitionResult& result, std::span<const Device> devices, Outcome& outcome)
{
    const Graph& graph = source.rootGraph();
    const CutMetrics metrics = cutMetrics(cutGraph(source, MemoryRule::freesDead),
                                          partAssignment(source, result.split.program, result.split.map));
    std::unordered_map<InternedString, std::uint64_t> peakOf;
    for (const PartMetrics& part : metrics.parts)
        peakOf.emplace(part.name, part.sizes.usedBytes());
    for (const Partition& partition : result.set.partitions) {
        const auto peak = peakOf.find(intern(submoduleOf(partition)));
        const auto calls = std::count_if(partition.nodes.begin(), partition.nodes.end(),
                                         [&](NodeId id) { return graph[id].isCall(); });
        std::string line = submoduleOf(partition) + ": " + formatCount(static_cast<std::uint64_t>(calls), "op")
            + (peak == peakOf.end() ? "" : ", peak " + formatBytes(peak->second)) + ", torch counts "
            + formatBytes(partition.usedBytes);
        for (std::size_t i = 0; i < partition.devices.size(); ++i)
            line += (i == 0 ? ", device " : " and ") + std::to_string(partition.devices[i]);
        outcome.say(std::move(line));
    }
    outcome.say("memory: " + std::string(describeRule(MemoryRule::freesDead))
                + "; torch counts every value, and an input once per consumer");
    const AllReasons reasons = allReasons(graph, result.set, devices);
    for (const std::string& sentence : reasons.cut)
        outcome.say(sentence);
    outcome.json[QStringLiteral("reasons")] = reasonsJson(reasons, result.set, devices);
}

} // namespace sunder::cli
