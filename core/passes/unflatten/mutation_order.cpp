#include "passes/unflatten/mutation_order.h"

#include "passes/unflatten/aliases.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

// In an exported program that was functionalized every value stays what it is; in the unflattened one a mutation
// overwrites its buffer. Both are the same only if nothing asks for a value after it was overwritten. The graph says
// so, but torch does not look.

namespace sunder {
namespace {

struct Write {
    std::uint32_t position;
    NodeId value;
};

class MutationCheck {
public:
    MutationCheck(const Program& flat, std::span<const MutationCopy> copies, const Outline& outline, bool crossingsInBuffers)
        : m_graph(flat.rootGraph()), m_copies(copies), m_positions(m_graph.positions())
    {
        if (crossingsInBuffers)
            std::ranges::copy_if(outline.crossings, std::back_inserter(m_reads),
                                 [&](const CrossingRead& read) { return !isInPlace(m_graph.node(read.value)); });
        for (const CrossingRead& crossing : outline.crossings)
            m_crossing.insert(crossing.value);
        for (const MutationCopy& copy : copies)
            m_targetOf.emplace(copy.copy, copy.target);
    }

    MutationFaults run()
    {
        collectWrites();
        for (const CrossingRead& read : m_reads)
            if (!read.isStep && !holds(rootOf(read.value), read.value, read.position))
                m_faults.read.push_back(read);
        for (auto& [target, writes] : m_writes)
            if (!isSound(target, writes))
                blame(target);
        return std::move(m_faults);
    }

private:
    /// The placeholder that an intermediate value is written to; invalid when there is none, or it does not fit.
    NodeId rootOf(NodeId value) const
    {
        NodeId at = value;
        for (std::size_t steps = 0; steps < m_graph.size(); ++steps) {
            const Node& node = m_graph.node(at);
            if (node.op == Op::placeholder)
                return fits(value, at) ? at : NodeId();
            if (!(m_crossing.contains(at) || m_targetOf.contains(at)) || node.args.empty() || !node.args.front().is(ArgumentKind::node))
                return {};
            at = node.args.front().asNode();
        }
        return {};
    }

    bool fits(NodeId value, NodeId target) const
    {
        const std::optional<Argument>& a = m_graph.node(value).meta.val;
        const std::optional<Argument>& b = m_graph.node(target).meta.val;
        return a && b && a->is(ArgumentKind::tensor) && b->is(ArgumentKind::tensor) && a->asTensor().dtype == b->asTensor().dtype
            && a->asTensor().shape == b->asTensor().shape;
    }

    void collectWrites()
    {
        for (const MutationCopy& copy : m_copies)
            m_writes[copy.target].push_back({m_positions[copy.copy.index()], copy.value});
        std::unordered_set<NodeId> written;
        for (const CrossingRead& read : m_reads)
            if (const NodeId root = rootOf(read.value); root && written.insert(read.value).second)
                m_writes[root].push_back({m_positions[read.value.index()], read.value});
        for (auto& [target, writes] : m_writes)
            std::ranges::sort(writes, {}, &Write::position);
    }

    /// Whether the placeholder holds the value when the node at a position reads it; its own name is its first value.
    bool holds(NodeId target, NodeId value, std::uint32_t position) const
    {
        const auto found = target ? m_writes.find(target) : m_writes.end();
        if (found == m_writes.end())
            return target == value;
        const auto next = std::ranges::lower_bound(found->second, position, {}, &Write::position);
        return (next == found->second.begin() ? target : std::prev(next)->value) == value;
    }

    bool isSound(NodeId target, const std::vector<Write>& writes) const
    {
        NodeId final;
        for (const MutationCopy& copy : m_copies)
            if (copy.target == target)
                final = copy.value;
        if (writes.back().value != final)
            return false;
        for (const NodeId alias : aliasesOf(m_graph, target))
            for (const NodeId user : m_graph.users(alias))
                if (!isCopyTo(user, target) && !holds(target, target, m_positions[user.index()]))
                    return false;
        for (const MutationCopy& copy : m_copies)
            if (copy.target == target)
                for (const NodeId user : m_graph.users(copy.copy))
                    if (!holds(target, copy.value, m_positions[user.index()]))
                        return false;
        return true;
    }

    bool isCopyTo(NodeId user, NodeId target) const
    {
        const auto found = m_targetOf.find(user);
        return found != m_targetOf.end() && found->second == target;
    }

    /// The values that cross are at fault if there are any, else the place of the mutation.
    void blame(NodeId target)
    {
        bool crosses = false;
        for (const CrossingRead& read : m_reads) {
            if (rootOf(read.value) != target)
                continue;
            crosses = true;
            m_faults.read.push_back(read);
        }
        if (!crosses)
            m_faults.late.push_back(target);
    }

    const Graph& m_graph;
    std::span<const MutationCopy> m_copies;
    std::vector<CrossingRead> m_reads; ///< of values that are written to a buffer
    std::vector<std::uint32_t> m_positions;
    std::unordered_set<NodeId> m_crossing;
    std::unordered_map<NodeId, NodeId> m_targetOf; ///< copy → placeholder
    std::unordered_map<NodeId, std::vector<Write>> m_writes;
    MutationFaults m_faults;
};

} // namespace

MutationFaults checkMutations(const Program& flat, std::span<const MutationCopy> copies, const Outline& outline,
                              bool crossingsInBuffers)
{
    return MutationCheck(flat, copies, outline, crossingsInBuffers).run();
}

} // namespace sunder
