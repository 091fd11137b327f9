#include "passes/partition/apply_partition_set.h"

#include "analysis/cut/cut_text.h"
#include "analysis/cut/device_load.h"
#include "analysis/cut/node_sizes.h"
#include "passes/partition/partition_costs.h"
#include "passes/partition/partition_problem.h"
#include "passes/split_module/split_module.h"
#include "support/format.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace sunder {
namespace {

PartitionAssignment assignmentOf(const PartitionSet& set)
{
    PartitionAssignment assignment{.ids = {}, .partitionOf = set.partitionOf};
    for (const Partition& partition : set.partitions)
        assignment.ids.push_back({.text = intern(std::to_string(partition.id)), .number = partition.id});
    return assignment;
}

/// Returns the number after the last underscore of a name.
std::optional<std::size_t> trailingNumber(std::string_view name)
{
    const std::string_view digits = name.substr(name.rfind('_') + 1);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

/// Finds the partition whose bytes and devices are recorded for a call.
class PartitionsByCall {
public:
    PartitionsByCall(const PartitionSet& set, DagRule rule, std::span<const std::uint32_t> listed)
        : m_set(set), m_rule(rule), m_listed(listed)
    {
        for (const Partition& partition : set.partitions)
            m_byName.emplace(intern(submoduleOf(partition)), &partition);
    }

    [[nodiscard]] const Partition* of(const Node& call) const
    {
        if (m_rule == DagRule::byPart) {
            const auto found = m_byName.find(call.target);
            return found != m_byName.end() ? found->second : nullptr;
        }
        const std::optional<std::size_t> at = trailingNumber(call.name.view());
        return at && *at < m_listed.size() ? &m_set.partitions[m_listed[*at]] : nullptr;
    }

private:
    const PartitionSet& m_set;
    DagRule m_rule;
    std::span<const std::uint32_t> m_listed;
    std::unordered_map<InternedString, const Partition*> m_byName;
};

PartitionDagNode recordOf(const Graph& graph, NodeId id, const Partition& partition)
{
    const Node& call = graph[id];
    PartitionDagNode record{.submodule = call.name,
                            .call = id,
                            .inputs = {},
                            .outputs = {},
                            .devices = partition.devices,
                            .usedBytes = partition.usedBytes};
    for (const NodeId input : graph.inputs(id))
        record.inputs.push_back(graph[input].name);
    if (call.userCount() > 1)
        for (const NodeId user : graph.users(id))
            record.outputs.push_back(graph[user].name);
    else
        record.outputs.push_back(call.name);
    return record;
}

Result<std::vector<PartitionDagNode>> recordParts(const Graph& graph, const PartitionsByCall& partitions)
{
    std::vector<PartitionDagNode> dag;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op != Op::callModule)
            continue;
        const Partition* partition = partitions.of(graph[id]);
        if (partition == nullptr)
            return fail(ErrorCode::refused,
                        graph[id].name.str()
                            + " has no partition: PyTorch uses its number as the index in a list without gaps; number the "
                              "partitions 0, 1, 2, …, or leave out --as-upstream",
                        {.node = graph[id].name.str()});
        dag.push_back(recordOf(graph, id, *partition));
    }
    return dag;
}

Result<void> checkAssignment(const Graph& graph, const PartitionSet& set)
{
    std::vector<std::uint32_t> listedIn(graph.idBound(), PartitionSet::kNone);
    for (std::uint32_t p = 0; p < set.partitions.size(); ++p)
        for (const NodeId id : set.partitions[p].nodes)
            if (graph[id].isCall()) {
                if (listedIn[id.index()] != PartitionSet::kNone)
                    return fail(ErrorCode::refused, graph[id].name.str() + " would be in two partitions",
                                {.node = graph[id].name.str()});
                listedIn[id.index()] = p;
            }
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall()
            && (set.partitionOf[id.index()] == PartitionSet::kNone || listedIn[id.index()] != set.partitionOf[id.index()]))
            return fail(ErrorCode::refused, graph[id].name.str() + " would be in no partition; assign it one",
                        {.node = graph[id].name.str()});
    return {};
}

/// Computes the load of each device, as shown in the Partition DAG.
/// Returns what each device holds, measured with the tables of the source.
std::vector<DeviceLoad> loadsOf(const Program& source, const CutGraph& graph, const PartitionSet& set,
                                std::span<const Device> devices)
{
    TagAssignment cut{.order = {}, .tagOf = std::vector<std::int32_t>(source.rootGraph().idBound(), TagAssignment::kUntagged)};
    std::vector<std::vector<std::int64_t>> places;
    for (const Partition& partition : set.partitions) {
        cut.order.push_back(intern(submoduleOf(partition)));
        places.push_back(partition.devices);
    }
    for (const NodeId id : source.rootGraph().nodes())
        if (const std::uint32_t part = set.partitionOf[id.index()]; part != PartitionSet::kNone)
            cut.tagOf[id.index()] = static_cast<std::int32_t>(part);
    return deviceLoads(graph, cut, cutMetrics(graph, cut), devices, places);
}

bool isSameCut(const PartitionSet& a, const PartitionSet& b)
{
    const auto isSame = [](const Partition& one, const Partition& other) {
        return one.id == other.id && one.nodes == other.nodes && one.devices == other.devices;
    };
    return a.partitionOf == b.partitionOf && std::ranges::equal(a.partitions, b.partitions, isSame);
}

/// A record has the name of the partition that it calls.
void recordFigures(const PartitionSet& set, std::vector<PartitionDagNode>& dag)
{
    std::unordered_map<InternedString, std::uint64_t> bytesOf;
    for (const Partition& partition : set.partitions)
        bytesOf.emplace(intern(submoduleOf(partition)), partition.usedBytes);
    for (PartitionDagNode& record : dag)
        if (const auto found = bytesOf.find(record.submodule); found != bytesOf.end())
            record.usedBytes = found->second;
}

} // namespace

Result<void> checkPartitionSet(const Program& source, const NodeSizes& sizes, const PartitionSet& set,
                               std::span<const Device> devices, ProgressMonitor& monitor)
{
    const Graph& graph = source.rootGraph();
    SUNDER_PROPAGATE(checkAssignment(graph, set));
    for (const Partition& partition : set.partitions)
        if (partition.devices.empty())
            return fail(ErrorCode::refused,
                        "partition " + std::to_string(partition.id) + " has no device: no device has "
                            + formatBytes(partition.usedBytes) + " free by PyTorch's count; add memory or devices");
    SUNDER_TRY(const CutGraph kept, cutGraph(source, sizes, monitor));
    const std::vector<DeviceLoad> loads = loadsOf(source, kept, set, devices);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto held = static_cast<double>(loads[i].usedBytes());
        if (held <= devices[i].availableBytes)
            continue;
        const DeviceLoad run = loadsOf(source, cutGraph(source, MemoryRule::freesDead), set, devices)[i];
        return fail(ErrorCode::refused,
                    describe(devices[i]) + " would hold " + bytesBeside(held, devices[i].availableBytes) + " by PyTorch's count ("
                        + describeNeed(loads[i].sizes, loads[i].rule) + "), but has only "
                        + bytesBeside(devices[i].availableBytes, held) + "; the run-time peak is " + formatBytes(run.usedBytes())
                        + "; give it more memory");
    }
    return {};
}

Result<PartitionResult> applyPartitionSet(const Program& source, PartitionSet set, DagRule rule,
                                          std::span<const std::uint32_t> listed, ProgressMonitor& monitor)
{
    SUNDER_TRY(SplitResult split, splitModule(source, assignmentOf(set), {}, monitor));
    SUNDER_TRY(std::vector<PartitionDagNode> dag, recordParts(split.program.rootGraph(), PartitionsByCall(set, rule, listed)));
    return PartitionResult{.split = std::move(split), .set = std::move(set), .dag = std::move(dag)};
}

PartitionAtSizes takeFigures(const Program& source, Result<PartitionResult> again, PartitionSet& set,
                             std::vector<PartitionDagNode>& dag)
{
    if (again && isSameCut(again->set, set)) {
        set = std::move(again->set);
        dag = std::move(again->dag);
        return {};
    }
    const Result<NodeSizes> sizes = nodeSizes(source);
    if (sizes) {
        PartitionAccount account(source.rootGraph(), *sizes);
        for (Partition& partition : set.partitions)
            partition.usedBytes = account.used(partition.nodes);
        recordFigures(set, dag);
    }
    return {.isSameCut = false, .why = again ? std::string() : again.error().message};
}

} // namespace sunder
