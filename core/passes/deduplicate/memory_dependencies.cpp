#include "passes/deduplicate/memory_dependencies.h"

#include "analysis/sizes.h"
#include "support/step_monitor.h"

#include <numeric>
#include <utility>

namespace sunder {
namespace {

/// Resources that nodes can access: memory classes of values (numbered by rank), followed by all others.
class Resources {
public:
    Resources(const Program& program, const RankedGraph& graph, const MemoryClasses& classes)
        : state(graph.size()), random(state + 1), outside(state + 2), buffers(state + 3), m_table(memoryTable(program.tensors)),
          m_reads(program, m_table), m_ofMemory(m_table.bytes.size())
    {
        std::iota(m_ofMemory.begin(), m_ofMemory.end(), buffers + 1);
        const std::vector<TensorId> tensors = tensorsOfNodes(program);
        for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
            if (const TensorId tensor = tensors[graph.id(rank).index()])
                m_ofMemory[m_table.memoryOf[tensor.index()]] = classes.of(rank);
    }

    [[nodiscard]] std::size_t count() const { return buffers + 1 + m_ofMemory.size(); }
    /// Calls `visit(resource)` for every parameter, buffer and constant that a node reads.
    template <typename Visit>
    void forEachRead(NodeId id, const Visit& visit) const
    {
        for (const std::uint32_t memory : m_reads.of(id))
            visit(m_ofMemory[memory]);
    }
    [[nodiscard]] bool readsAny(NodeId id) const { return !m_reads.of(id).empty(); }

    const std::uint32_t state;
    const std::uint32_t random;
    const std::uint32_t outside; ///< assertions and prints
    const std::uint32_t buffers;

private:
    MemoryTable m_table;
    MemoryReads m_reads;
    std::vector<std::uint32_t> m_ofMemory; ///< per memory: the class of the nodes that read it, or a separate resource
};

} // namespace

MemoryDependencies runOrder(const Program& program, const RankedGraph& graph, const MemoryClasses& memory,
                            ProgressMonitor& monitor)
{
    const Resources resources(program, graph, memory);
    EffectFinder finder(program);
    StepMonitor steps(monitor);
    MemoryDependencies result;
    result.written.resize(graph.size());
    result.writesBuffers.assign(graph.size(), 0);
    std::vector<CallEffects> effects(graph.size());
    std::vector<char> isWritten(resources.count(), 0);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        if (!steps.shouldContinue())
            return result;
        const NodeId node = graph.id(rank);
        effects[rank] = finder.of(graph.node(rank));
        for (const NodeId id : effects[rank].written) {
            result.written[rank].push_back(graph.rank(id));
            isWritten[memory.of(graph.rank(id))] = 1;
        }
        const bool writesHeld = effects[rank].writesBuffers || (effects[rank].writesHeld && resources.readsAny(node));
        result.writesBuffers[rank] = writesHeld ? 1 : 0;
        if (writesHeld)
            resources.forEachRead(node, [&](std::uint32_t resource) { isWritten[resource] = 1; });
        isWritten[resources.state] = isWritten[resources.state] != 0 || effects[rank].setsState ? 1 : 0;
    }
    std::vector<std::pair<std::uint32_t, MemoryAccess>> touches;
    std::vector<std::size_t> touchOf(isWritten.size(), 0);
    std::vector<std::uint32_t> touchedBy(isWritten.size(), NodeId::kInvalid);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        if (!steps.shouldContinue())
            return result;
        const auto touch = [&](std::uint32_t resource, bool writes) {
            if (std::exchange(touchedBy[resource], rank) != rank) {
                touchOf[resource] = touches.size();
                touches.push_back({rank, {resource, writes}});
            }
            MemoryAccess& noted = touches[touchOf[resource]].second;
            noted.writes = noted.writes || writes;
        };
        const auto touchMemory = [&](std::uint32_t value) {
            if (isWritten[memory.of(value)] != 0)
                touch(memory.of(value), false);
        };
        touchMemory(rank);
        for (const std::uint32_t input : graph.inputs(rank))
            touchMemory(input);
        for (const std::uint32_t value : result.written[rank])
            touch(memory.of(value), true);
        resources.forEachRead(graph.id(rank), [&](std::uint32_t resource) {
            if (isWritten[resource] != 0)
                touch(resource, result.writesBuffers[rank] != 0);
        });
        if (isWritten[resources.state] != 0 && graph.node(rank).isCall())
            touch(resources.state, effects[rank].setsState);
        if (effects[rank].random)
            touch(resources.random, true);
        if (effects[rank].ordered)
            touch(resources.outside, true);
        if (result.writesBuffers[rank] != 0)
            touch(resources.buffers, true);
    }
    result.constraints = OrderConstraints(graph.size(), touches);
    return result;
}

} // namespace sunder
