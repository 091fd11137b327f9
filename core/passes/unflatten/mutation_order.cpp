#include "passes/unflatten/mutation_order.h"

#include "passes/unflatten/shared_memory.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

// In a functionalized program values never change; in the unflattened program a mutation overwrites its buffer. They are
// equivalent only if no value is read after it was overwritten. The graph contains this information, but PyTorch does not check it.

namespace sunder {
namespace {

struct Write {
    std::uint32_t position;
    NodeId target; ///< placeholder
    NodeId value;
    bool isFinal = false; ///< a mutation, as opposed to a crossing value
};

/// Writes to placeholders that share memory.
struct Memory {
    std::vector<NodeId> placeholders;
    std::vector<Write> writes;
    std::vector<const MutationCopy*> copies; ///< in output order; the last one wins
};

class MutationCheck {
public:
    MutationCheck(const Program& flat, const ModuleStacks& stacks, std::span<const MutationCopy> copies,
                  std::span<const CrossingRead> crossings, bool crossingsInBuffers)
        : m_graph(flat.rootGraph()), m_stacks(stacks), m_copies(copies), m_positions(m_graph.positions()), m_inputs(flat)
    {
        if (crossingsInBuffers)
            std::ranges::copy_if(crossings, std::back_inserter(m_reads),
                                 [&](const CrossingRead& read) { return !isInPlace(m_graph.node(read.value)); });
        for (const CrossingRead& crossing : crossings) {
            m_crossing.insert(crossing.value);
            m_crossingAt.insert(std::uint64_t{crossing.value.index()} << 32U | crossing.position);
        }
        for (const MutationCopy& copy : copies)
            m_targetOf.emplace(copy.copy, copy.target);
    }

    MutationFaults run()
    {
        collectWrites();
        for (const CrossingRead& read : m_reads)
            if (read.isStep ? !rootOf(read.value) : !holdsWhileRead(read))
                m_faults.read.push_back(read);
        for (const Memory& memory : m_memories)
            if (!isSound(memory))
                blame(memory);
        return std::move(m_faults);
    }

private:
    /// Returns the placeholder that an intermediate value is written to; invalid if there is none or its type differs.
    NodeId rootOf(NodeId value) const { return rootOf(value, m_positions[value.index()]); }

    /// As above, for the reader at a position. Intermediate steps must come from the buffer both where the value is made and
    /// where it is read; otherwise the write, or the read, uses their own memory.
    NodeId rootOf(NodeId value, std::uint32_t reader) const
    {
        NodeId at = value;
        for (std::size_t steps = 0; steps < m_graph.size(); ++steps) {
            const Node& node = m_graph.node(at);
            if (node.op == Op::placeholder)
                return fits(value, at) ? at : NodeId();
            const bool isCopy = m_targetOf.contains(at);
            if (!(m_crossing.contains(at) || isCopy) || node.args.empty() || !node.args.front().is(ArgumentKind::node))
                return {};
            const NodeId first = node.args.front().asNode();
            if (!isBuffer(first) && !(crosses(first, m_positions[at.index()]) && crosses(first, reader)))
                return {};
            at = first;
        }
        return {};
    }

    /// Returns whether a value is a buffer itself: a placeholder, or the result of an in-place write to one.
    bool isBuffer(NodeId value) const
    {
        return m_graph.node(value).op == Op::placeholder || m_targetOf.contains(value) || isInPlace(m_graph.node(value));
    }

    bool crosses(NodeId value, std::uint32_t reader) const
    {
        return m_crossingAt.contains(std::uint64_t{value.index()} << 32U | reader);
    }

    /// Returns whether the buffer holds the value for the first reader and for later readers in the same call.
    bool holdsWhileRead(const CrossingRead& read)
    {
        const NodeId root = rootOf(read.value, read.position);
        if (!holds(root, read.value, read.position))
            return false;
        if (m_order.empty())
            m_order = m_graph.order();
        const std::span<const ModuleStacks::CallId> asking = callsOf(m_order[read.position]);
        std::size_t depth = asking.size();
        while (depth > 0 && m_stacks.call(asking[depth - 1]).path != read.reader)
            --depth;
        for (const NodeId user : m_graph.users(read.value)) {
            const std::span<const ModuleStacks::CallId> calls = callsOf(user);
            const bool isInCall = calls.size() >= depth
                && std::equal(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(depth), asking.begin());
            const std::uint32_t position = m_positions[user.index()];
            if (isInCall && position > read.position && !holds(root, read.value, position))
                return false;
        }
        return true;
    }

    std::span<const ModuleStacks::CallId> callsOf(NodeId node) const
    {
        const StackId stack = m_graph.node(node).meta.modules;
        return stack ? m_stacks.of(stack) : std::span<const ModuleStacks::CallId>();
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
        for (const MutationCopy& copy : m_copies) {
            Memory& memory = memoryOf(copy.target);
            memory.writes.push_back({m_positions[copy.copy.index()], copy.target, copy.value, true});
            memory.copies.push_back(&copy);
        }
        std::unordered_set<NodeId> written;
        for (const CrossingRead& read : m_reads)
            if (const NodeId root = rootOf(read.value); root && written.insert(read.value).second)
                memoryOf(root).writes.push_back({m_positions[read.value.index()], root, read.value});
        for (Memory& memory : m_memories)
            std::ranges::sort(memory.writes, {}, &Write::position);
    }

    Memory& memoryOf(NodeId placeholder)
    {
        const auto [place, isNew] = m_memoryOf.emplace(m_inputs.firstOf(placeholder), m_memories.size());
        if (isNew) {
            const std::span<const NodeId> inputs = m_inputs.with(placeholder);
            m_memories.push_back({.placeholders = {inputs.begin(), inputs.end()}});
        }
        return m_memories[place->second];
    }

    /// Returns whether the placeholder holds the value when the node at a position reads it. Its first value is denoted by the
    /// placeholder itself.
    bool holds(NodeId target, NodeId value, std::uint32_t position) const
    {
        const auto found = target ? m_memoryOf.find(m_inputs.firstOf(target)) : m_memoryOf.end();
        if (found == m_memoryOf.end())
            return target == value;
        const std::vector<Write>& writes = m_memories[found->second].writes;
        const auto next = std::ranges::lower_bound(writes, position, {}, &Write::position);
        if (next == writes.begin())
            return target == value;
        return std::prev(next)->target == target && std::prev(next)->value == value;
    }

    bool isSound(const Memory& memory) const
    {
        return endsAsItShould(memory)
            && std::ranges::all_of(memory.placeholders, [&](NodeId placeholder) { return keepsFirstValue(placeholder); })
            && std::ranges::all_of(memory.copies, [&](const MutationCopy* copy) { return keepsCopy(*copy); });
    }

    /// Returns whether the last writes are the mutations, in their order.
    static bool endsAsItShould(const Memory& memory)
    {
        if (memory.copies.empty() || memory.copies.size() > memory.writes.size())
            return memory.writes.empty();
        auto write = memory.writes.end() - static_cast<std::ptrdiff_t>(memory.copies.size());
        return std::ranges::all_of(memory.copies, [&](const MutationCopy* copy) {
            const Write& last = *write++;
            return last.isFinal && last.target == copy->target && last.value == copy->value;
        });
    }

    /// Returns whether the first value of a placeholder is never read, not even through a view, after its memory was written.
    bool keepsFirstValue(NodeId placeholder) const
    {
        for (const NodeId alias : aliasesOf(m_graph, placeholder))
            for (const NodeId user : m_graph.users(alias)) {
                const bool isMutation = isCopyTo(user, placeholder);
                if (isMutation && m_graph.node(user).args.front().asNode() == alias
                    && m_graph.node(user).args[1].asNode() != alias)
                    continue;
                // A copy within one memory would read it while it is written.
                if (isMutation || !holds(placeholder, placeholder, m_positions[user.index()]))
                    return false;
            }
        return true;
    }

    bool keepsCopy(const MutationCopy& copy) const
    {
        for (const NodeId alias : aliasesOf(m_graph, copy.copy))
            for (const NodeId user : m_graph.users(alias))
                if (!holds(copy.target, copy.value, m_positions[user.index()]))
                    return false;
        return true;
    }

    /// Returns whether a node is a mutation of the placeholder's memory.
    bool isCopyTo(NodeId user, NodeId placeholder) const
    {
        const auto found = m_targetOf.find(user);
        return found != m_targetOf.end() && m_inputs.firstOf(found->second) == m_inputs.firstOf(placeholder);
    }

    /// Reports the crossing values if there are any, else the positions of the mutations.
    void blame(const Memory& memory)
    {
        bool crosses = false;
        for (const CrossingRead& read : m_reads) {
            const NodeId root = rootOf(read.value);
            if (!root || m_inputs.firstOf(root) != memory.placeholders.front())
                continue;
            crosses = true;
            m_faults.read.push_back(read);
        }
        if (crosses)
            return;
        for (const MutationCopy* copy : memory.copies)
            m_faults.late.push_back(copy->target);
    }

    const Graph& m_graph;
    const ModuleStacks& m_stacks;
    std::span<const MutationCopy> m_copies;
    std::vector<CrossingRead> m_reads; ///< reads of values that are written to a buffer
    std::vector<std::uint32_t> m_positions;
    std::vector<NodeId> m_order; ///< filled on demand
    std::unordered_set<NodeId> m_crossing;
    std::unordered_set<std::uint64_t> m_crossingAt; ///< (crossing value, position of a reader)
    std::unordered_map<NodeId, NodeId> m_targetOf; ///< copy → placeholder
    OverlappingInputs m_inputs;
    std::vector<Memory> m_memories; ///< memories that are written to
    std::unordered_map<NodeId, std::size_t> m_memoryOf; ///< first placeholder of a memory → memory
    MutationFaults m_faults;
};

} // namespace

MutationFaults checkMutations(const Program& flat, const ModuleStacks& stacks, std::span<const MutationCopy> copies,
                              std::span<const CrossingRead> crossings, bool crossingsInBuffers)
{
    return MutationCheck(flat, stacks, copies, crossings, crossingsInBuffers).run();
}

} // namespace sunder
