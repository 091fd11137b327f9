#include "passes/split_module/state_regions.h"

#include <unordered_map>

namespace sunder {
namespace {

class RegionFinder {
public:
    RegionFinder(const Graph& graph, std::span<const std::uint32_t> partOf, std::span<const PartitionId> ids)
        : m_graph(graph), m_partOf(partOf), m_ids(ids)
    {
    }

    Result<StateRegions> run(std::span<const NodeId> calls)
    {
        for (const NodeId id : calls)
            if (const Result<void> done = visit(id); !done)
                return forward(done);
        for (const StateRegion& region : m_regions.autocast)
            if (!region.exit)
                return refuse(region.setter, " enters autocast, but nothing exits it");
        if (m_regions.autocast.empty() && m_regions.grad.empty())
            return std::move(m_regions);
        SUNDER_PROPAGATE(checkAscending(calls));
        return std::move(m_regions);
    }

private:
    Result<void> visit(NodeId id)
    {
        const std::uint32_t part = m_partOf[id.index()];
        switch (stateSetterOf(m_graph[id])) {
        case StateSetter::enterAutocast: return enter(id, part);
        case StateSetter::exitAutocast: return leave(id, part);
        case StateSetter::setGradEnabled: return setGrad(id, part);
        case StateSetter::none: break;
        }
        if (!m_regions.grad.empty())
            m_regions.grad.back().last = part;
        return {};
    }

    Result<void> enter(NodeId id, std::uint32_t part)
    {
        for (const Argument& argument : m_graph[id].args)
            if (argument.is(ArgumentKind::node))
                return refuse(id,
                              " enters autocast with the computed value " + m_graph[argument.asNode()].name.str()
                                  + "; only constants can be set again in another partition");
        m_open.emplace(id, m_regions.autocast.size());
        m_regions.autocast.push_back({.setter = id, .first = part, .last = part});
        return extendGrad(part);
    }

    Result<void> leave(NodeId id, std::uint32_t part)
    {
        const Arguments& args = m_graph[id].args;
        if (args.size() != 1 || !args[0].is(ArgumentKind::node))
            return refuse(id, " exits autocast, but does not say which");
        const auto open = m_open.find(args[0].asNode());
        if (open == m_open.end())
            return refuse(id, " exits an autocast region that is not active");
        m_regions.autocast[open->second].exit = id;
        m_regions.autocast[open->second].last = part;
        m_open.erase(open);
        return extendGrad(part);
    }

    Result<void> setGrad(NodeId id, std::uint32_t part)
    {
        const Arguments& args = m_graph[id].args;
        if (args.size() != 1 || !args[0].is(ArgumentKind::boolean))
            return refuse(id, " sets grad mode to something other than true or false");
        m_regions.grad.push_back({.setter = id, .first = part, .last = part});
        return {};
    }

    Result<void> extendGrad(std::uint32_t part)
    {
        if (!m_regions.grad.empty())
            m_regions.grad.back().last = part;
        return {};
    }

    /// torch starts the comparison at -1, and compares numbers only.
    Result<void> checkAscending(std::span<const NodeId> calls) const
    {
        std::int64_t highest = -1;
        NodeId before;
        for (const NodeId id : calls) {
            const PartitionId& partition = m_ids[m_partOf[id.index()]];
            if (!partition.number)
                return refuse(id,
                              " is in partition " + partition.text.str()
                                  + ", but a graph that sets autocast or grad mode needs numbered partitions");
            if (*partition.number < highest)
                return fail(
                    ErrorCode::refused,
                    m_graph[id].name.str() + " is in partition " + partition.text.str()
                        + (before ? ", after " + m_graph[before].name.str() + " in partition " + std::to_string(highest) : "")
                        + "; in a graph that sets autocast or grad mode, partition numbers must not decrease"
                        + (before ? "" : " or start below -1"),
                    {.node = m_graph[id].name.str(), .other = partition.text.str()});
            highest = *partition.number;
            before = id;
        }
        return {};
    }

    [[nodiscard]] tl::unexpected<Error> refuse(NodeId id, const std::string& what) const
    {
        return fail(ErrorCode::refused, m_graph[id].name.str() + what, {.node = m_graph[id].name.str()});
    }

    const Graph& m_graph;
    std::span<const std::uint32_t> m_partOf;
    std::span<const PartitionId> m_ids;
    StateRegions m_regions;
    std::unordered_map<NodeId, std::size_t> m_open; ///< open regions: index into m_regions.autocast
};

} // namespace

StateSetter stateSetterOf(const Node& node)
{
    static const InternedString kEnter = intern("torch.amp.autocast_mode._enter_autocast");
    static const InternedString kExit = intern("torch.amp.autocast_mode._exit_autocast");
    static const InternedString kGrad = intern("torch._C._set_grad_enabled");
    if (node.op != Op::callFunction)
        return StateSetter::none;
    if (node.target == kEnter)
        return StateSetter::enterAutocast;
    if (node.target == kExit)
        return StateSetter::exitAutocast;
    return node.target == kGrad ? StateSetter::setGradEnabled : StateSetter::none;
}

Result<StateRegions> findStateRegions(const Graph& graph, std::span<const NodeId> calls, std::span<const std::uint32_t> partOf,
                                      std::span<const PartitionId> ids)
{
    return RegionFinder(graph, partOf, ids).run(calls);
}

} // namespace sunder
