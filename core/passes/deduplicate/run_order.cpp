#include "passes/deduplicate/run_order.h"

#include <utility>

namespace sunder {
namespace {

/// Resources behind the memory classes, which are ranks.
struct Resources {
    explicit Resources(std::uint32_t ranks) : state(ranks), random(ranks + 1), outside(ranks + 2), buffers(ranks + 3) {}
    std::uint32_t state;
    std::uint32_t random;
    std::uint32_t outside; ///< assertions, prints
    std::uint32_t buffers;
};

} // namespace

RunOrder runOrder(const Program& program, const RankedGraph& graph, const MemoryClasses& memory)
{
    const Resources resources(graph.size());
    EffectFinder finder(program);
    RunOrder result;
    result.written.resize(graph.size());
    result.writesBuffers.assign(graph.size(), 0);
    std::vector<CallEffects> effects(graph.size());
    std::vector<char> isWritten(graph.size() + std::size_t{4}, 0);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        effects[rank] = finder.of(graph.node(rank));
        for (const NodeId id : effects[rank].written) {
            result.written[rank].push_back(graph.rank(id));
            isWritten[memory.of(graph.rank(id))] = 1;
        }
        result.writesBuffers[rank] = effects[rank].writesBuffers ? 1 : 0;
        isWritten[resources.state] = isWritten[resources.state] != 0 || effects[rank].setsState ? 1 : 0;
    }
    std::vector<std::pair<std::uint32_t, Touch>> touches;
    std::vector<std::size_t> touchOf(isWritten.size(), 0);
    std::vector<std::uint32_t> touchedBy(isWritten.size(), NodeId::kInvalid);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        const auto touch = [&](std::uint32_t resource, bool writes) {
            if (std::exchange(touchedBy[resource], rank) != rank) {
                touchOf[resource] = touches.size();
                touches.push_back({rank, {resource, writes}});
            }
            Touch& noted = touches[touchOf[resource]].second;
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
        if (isWritten[resources.state] != 0 && graph.node(rank).isCall())
            touch(resources.state, effects[rank].setsState);
        if (effects[rank].random)
            touch(resources.random, true);
        if (effects[rank].ordered)
            touch(resources.outside, true);
        if (effects[rank].writesBuffers)
            touch(resources.buffers, true);
    }
    result.constraints = OrderConstraints(graph.size(), touches);
    return result;
}

} // namespace sunder
