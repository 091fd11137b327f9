// PyTorch's current sparse_nn mode, for recommendation models. Tables (embeddings) are distributed over the devices; all other
// calls are small and are placed on each of these devices as well. Calls are packed in graph order, with a boundary between
// tables and other calls. Partitions of the same kind are then joined: the smallest with the largest one that fits and has an
// adjacent level.
//
// PyTorch's bugs: it crashes without tables, and with tables only; and dense partitions share one list of devices, which
// saturate_host extends once for each of them. By default a graph without tables is distributed like any other, and each
// partition has its own list.

#include "passes/partition/device_mapping.h"
#include "passes/partition/open_partition.h"
#include "passes/partition/partition_costs.h"
#include "passes/partition/partition_links.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::string_view kTable = "Embedding";

/// Modules whose printed form contains the word in torch: in the class or name of the module or its descendants.
class TableModules {
public:
    explicit TableModules(const ModuleTree& modules) : m_modules(modules), m_holdsTable(modules.size(), 0)
    {
        const std::vector<ModuleId> order = modules.depthFirst();
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const Module& module = modules[*at];
            bool holds = className(module).find(kTable) != std::string_view::npos;
            for (const ModuleId child : module.children)
                holds = holds || m_holdsTable[modules.object(child).index()] != 0 || m_holdsTable[child.index()] != 0
                    || modules[child].name.view().find(kTable) != std::string_view::npos;
            m_holdsTable[at->index()] = holds ? 1 : 0;
        }
    }

    /// torch checks every module on the path to the called one; the first of them prints all its descendants.
    [[nodiscard]] bool isTable(std::string_view target) const
    {
        const ModuleId first = m_modules.resolve(target.substr(0, target.find('.')));
        return first && m_holdsTable[first.index()] != 0;
    }

private:
    static std::string_view className(const Module& module)
    {
        const std::string_view cls = module.cls.view();
        return cls.substr(cls.rfind('.') + 1);
    }

    const ModuleTree& m_modules;
    std::vector<char> m_holdsTable;
};

class SparseNn {
public:
    SparseNn(const PartitionProblem& problem, double deviceBytes)
        : m_problem(problem), m_deviceBytes(deviceBytes), m_tables(problem.program.modules),
          m_account(problem.graph, problem.sizes), m_position(problem.graph.positions())
    {
    }

    Result<Partitioning> run()
    {
        SUNDER_PROPAGATE(pack());
        for (std::vector<std::uint32_t>* kind : {&m_dense, &m_sparse})
            SUNDER_PROPAGATE(combine(*kind));
        return assign();
    }

private:
    [[nodiscard]] bool isTable(const Node& node) const
    {
        if (node.op == Op::callModule)
            return m_tables.isTable(node.target.view());
        return !m_problem.asUpstream && node.target.view().starts_with("torch.ops.aten.embedding");
    }

    Result<void> pack()
    {
        OpenPartition filling(m_problem.graph, m_problem.sizes);
        std::vector<std::uint64_t> used = {0};
        bool inTables = false;
        const auto close = [&] { (inTables ? m_sparse : m_dense).push_back(static_cast<std::uint32_t>(used.size() - 1)); };
        const auto reopen = [&] {
            close();
            filling.open();
            used.push_back(0);
        };
        for (const NodeId id : m_problem.graph.nodes()) {
            const Node& node = m_problem.graph[id];
            if (!node.isCall())
                continue;
            if (const NodeId missing = filling.unsized(id); missing)
                return unknownSize(m_problem.program, m_problem.sizes, missing);
            if (isTable(node) != inTables) {
                if (m_problem.asUpstream ? used.back() != 0 : !filling.members().back().empty())
                    reopen();
                inTables = !inTables;
            }
            std::uint64_t need = filling.need(id);
            if (static_cast<double>(need + used.back()) > m_deviceBytes) {
                if (m_problem.asUpstream || !filling.members().back().empty())
                    reopen();
                need = filling.need(id);
                if (static_cast<double>(need) > m_deviceBytes)
                    return fail(ErrorCode::refused,
                                node.name.str() + " needs " + bytesBeside(static_cast<double>(need), m_deviceBytes)
                                    + " with its inputs, but a device has only "
                                    + bytesBeside(m_deviceBytes, static_cast<double>(need)) + "; use larger devices",
                                {.node = node.name.str()});
            }
            used.back() += filling.add(id);
        }
        close();
        for (std::size_t i = 0; i < used.size(); ++i) {
            m_all.push_back(static_cast<std::uint32_t>(i));
            m_partitions.push_back({.nodes = std::move(filling.members()[i]),
                                    .usedBytes = used[i],
                                    .origin = {.kind = PartitionOrigin::Kind::dense}});
        }
        for (const std::uint32_t p : m_sparse)
            m_partitions[p].origin.kind = PartitionOrigin::Kind::tables;
        return {};
    }

    Result<void> combine(std::vector<std::uint32_t>& kind)
    {
        if (kind.empty() && m_problem.asUpstream)
            return fail(ErrorCode::refused,
                        "PyTorch's sparse_nn fails on a graph without embeddings, and on one with nothing else "
                        "(pop from an empty list); leave out --as-upstream");
        while (!kind.empty() && combineOnce(kind))
            SUNDER_PROPAGATE(m_problem.monitor.check());
        return {};
    }

    bool combineOnce(std::vector<std::uint32_t>& kind)
    {
        std::vector<std::uint32_t> bySize = kind;
        std::stable_sort(bySize.begin(), bySize.end(),
                         [this](auto a, auto b) { return m_partitions[a].usedBytes < m_partitions[b].usedBytes; });
        const std::uint32_t smallest = bySize.front();
        const std::vector<std::uint32_t> level = levels();
        for (std::size_t i = bySize.size(); i-- > 1;) {
            const std::uint32_t other = bySize[i];
            if (std::max(level[smallest], level[other]) - std::min(level[smallest], level[other]) > 1)
                continue;
            std::vector<NodeId> both = m_partitions[other].nodes;
            both.insert(both.end(), m_partitions[smallest].nodes.begin(), m_partitions[smallest].nodes.end());
            std::sort(both.begin(), both.end(),
                      [this](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; });
            both.erase(std::unique(both.begin(), both.end()), both.end());
            const std::uint64_t used = m_account.used(both);
            if (static_cast<double>(used) > m_deviceBytes)
                continue;
            replace(kind, other, smallest);
            replace(m_all, other, smallest);
            m_partitions.push_back({.nodes = std::move(both), .usedBytes = used, .origin = m_partitions[other].origin});
            m_partitions.back().origin.joined += m_partitions[smallest].origin.joined;
            return true;
        }
        return false;
    }

    /// Returns the level per index of m_partitions, computed from the links of the remaining ones.
    [[nodiscard]] std::vector<std::uint32_t> levels() const
    {
        std::vector<std::vector<NodeId>> members;
        for (const std::uint32_t p : m_all)
            members.push_back(m_partitions[p].nodes);
        const std::vector<std::uint32_t> found = partitionLevels(partitionLinks(m_problem.graph, members));
        std::vector<std::uint32_t> level(m_partitions.size(), 0);
        for (std::size_t i = 0; i < m_all.size(); ++i)
            level[m_all[i]] = found[i];
        return level;
    }

    /// Removes two partitions from a list and appends the one that will be made of them.
    void replace(std::vector<std::uint32_t>& list, std::uint32_t a, std::uint32_t b) const
    {
        std::erase_if(list, [&](std::uint32_t p) { return p == a || p == b; });
        list.push_back(static_cast<std::uint32_t>(m_partitions.size()));
    }

    Result<Partitioning> assign()
    {
        const std::vector<Device>& devices = m_problem.config.devices;
        if (m_sparse.size() > devices.size())
            return fail(ErrorCode::refused,
                        "the embeddings need " + std::to_string(m_sparse.size()) + " devices of "
                            + bytesBeside(m_deviceBytes, m_deviceBytes) + ", but there are only " + std::to_string(devices.size())
                            + "; add devices or use larger ones");
        double dense = 0;
        for (const std::uint32_t p : m_dense)
            dense += static_cast<double>(m_partitions[p].usedBytes);
        std::vector<std::int64_t> occupied;
        for (const std::uint32_t p : m_sparse) {
            const auto table = static_cast<double>(m_partitions[p].usedBytes);
            if (dense + table > m_deviceBytes)
                return doNotFit(p, dense, table);
            occupied.push_back(devices[occupied.size()].logicalId);
            m_partitions[p].devices = {occupied.back()};
        }
        for (const std::uint32_t p : m_dense)
            m_partitions[p].devices = occupied;
        return listed();
    }

    tl::unexpected<Error> doNotFit(std::uint32_t partition, double dense, double table) const
    {
        const std::vector<NodeId>& nodes = m_partitions[partition].nodes;
        const auto call = std::find_if(nodes.begin(), nodes.end(), [&](NodeId id) { return m_problem.graph[id].isCall(); });
        const std::string name = call != nodes.end() ? m_problem.graph[*call].name.str() : std::string();
        return fail(ErrorCode::refused,
                    "the embeddings around " + name + " need " + bytesBeside(table, m_deviceBytes)
                        + " and all other nodes, which must be on the same device, " + bytesBeside(dense, m_deviceBytes)
                        + ", but a device has only " + bytesBeside(m_deviceBytes, table + dense)
                        + "; use larger devices or size_based",
                    {.node = name});
    }

    Result<Partitioning> listed()
    {
        Partitioning result;
        for (std::uint32_t i = 0; i < m_all.size(); ++i) {
            result.partitions.push_back(std::move(m_partitions[m_all[i]]));
            if (m_problem.asUpstream && std::find(m_dense.begin(), m_dense.end(), m_all[i]) != m_dense.end())
                result.sharingDevices.push_back(i);
        }
        if (const std::optional<Unmapped> unmapped = mapToDevices(m_problem, result.partitions);
            unmapped && !m_problem.asUpstream)
            return noDeviceFor(m_problem, result.partitions, *unmapped);
        return result;
    }

    const PartitionProblem& m_problem;
    double m_deviceBytes;
    TableModules m_tables;
    PartitionAccount m_account;
    std::vector<std::uint32_t> m_position; ///< per NodeId: position in the graph
    std::vector<UnnumberedPartition> m_partitions; ///< including those that were joined
    std::vector<std::uint32_t> m_all;    ///< the remaining ones, in PyTorch's order
    std::vector<std::uint32_t> m_dense;
    std::vector<std::uint32_t> m_sparse;
};

} // namespace

Result<Partitioning> partitionSparseNn(const PartitionProblem& problem)
{
    const std::vector<Device>& devices = problem.config.devices;
    const double deviceBytes = devices.front().availableBytes;
    for (const Device& device : devices)
        if (device.availableBytes != deviceBytes)
            return fail(ErrorCode::refused,
                        describe(device) + " has " + bytesBeside(device.availableBytes, deviceBytes) + ", but the first has "
                            + bytesBeside(deviceBytes, device.availableBytes)
                            + "; sparse_nn needs devices of equal memory; size_based does not");
    return SparseNn(problem, deviceBytes).run();
}

} // namespace sunder
