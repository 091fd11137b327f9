// Exports contain nodes without a module stack: torch.export unwraps tensor subclasses before any module runs, and passes insert
// nodes that no module created. Such a node belongs to the modules of its users. Users follow their inputs, so one backward walk
// finds the modules that all users share. A forward walk then places nodes without users.
#include "ir/reader_stacks.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

namespace sunder {
namespace {

/// Maximum number of stack frames considered.
constexpr std::uint32_t kMaxFrames = 500;

/// The first frames of a stack. Size 0: no module, including the root.
struct Frames {
    StackId stack;
    std::uint32_t size = 0;
};

class ReaderStacks {
public:
    explicit ReaderStacks(Program& program) : m_program(program) {}

    void place(Graph& graph)
    {
        if (!isWanted(graph))
            return;
        m_frames.assign(graph.idBound(), {});
        m_isRead.assign(graph.idBound(), 0);
        m_isPlaced.assign(graph.idBound(), 0);
        m_positions = graph.positions();
        std::vector<NodeId> order;
        for (const NodeId id : graph.nodes())
            order.push_back(id);
        for (const NodeId id : std::views::reverse(order))
            takeBackwards(graph, id);
        for (const NodeId id : order)
            if (graph[id].isCall())
                takeForwards(graph, id);
    }

private:
    /// Whether a node has a stack that names modules, and an op has none.
    [[nodiscard]] bool isWanted(const Graph& graph) const
    {
        bool isMissing = false;
        bool isThere = false;
        for (const NodeId id : graph.nodes()) {
            const bool isStated = framesStated(graph[id]).size > 0;
            isThere = isThere || isStated;
            isMissing = isMissing || (!isStated && graph[id].isCall());
        }
        return isMissing && isThere;
    }

    [[nodiscard]] Frames framesStated(const Node& node) const
    {
        if (!node.meta.modules)
            return {};
        const ModuleStack& stack = m_program.stacks[node.meta.modules.index()];
        const bool isNone = stack.size() == 1 && stack.front().path.view() == kNoModulePath;
        return {node.meta.modules, isNone ? 0 : static_cast<std::uint32_t>(std::min<std::size_t>(stack.size(), kMaxFrames))};
    }

    [[nodiscard]] Frames common(Frames a, Frames b) const
    {
        std::uint32_t size = std::min(a.size, b.size);
        if (a.stack == b.stack || size == 0)
            return {a.stack, size};
        const ModuleStack& of = m_program.stacks[a.stack.index()];
        const auto end = of.begin() + size;
        size = static_cast<std::uint32_t>(std::mismatch(of.begin(), end, m_program.stacks[b.stack.index()].begin()).first
                                          - of.begin());
        return {a.stack, size};
    }

    /// At this point, all users of the node have been processed.
    void takeBackwards(Graph& graph, NodeId id)
    {
        const Node& node = graph[id];
        Frames& frames = m_frames[id.index()];
        const Frames stated = framesStated(node);
        if (stated.size > 0)
            frames = stated;
        m_isPlaced[id.index()] = stated.size > 0 || m_isRead[id.index()] != 0 || node.op == Op::output ? 1 : 0;
        if (m_isPlaced[id.index()] == 0)
            return;
        for (const NodeId input : graph.inputs(id)) {
            const bool isFirst = m_isRead[input.index()] == 0;
            m_frames[input.index()] = isFirst ? frames : common(m_frames[input.index()], frames);
            m_isRead[input.index()] = 1;
        }
    }

    void takeForwards(Graph& graph, NodeId id)
    {
        if (framesStated(graph[id]).size > 0)
            return;
        Frames& frames = m_frames[id.index()];
        NodeId last;
        for (const NodeId input : graph.inputs(id))
            if (graph[input].isCall() && (!last || m_positions[input.index()] > m_positions[last.index()]))
                last = input;
        if (m_isPlaced[id.index()] == 0 && last)
            frames = m_frames[last.index()];
        if (frames.size > 0)
            graph.meta(id).modules = stackOf(frames, graph[id].meta.modules);
    }

    StackId stackOf(Frames frames, StackId stated)
    {
        const auto [at, isNew] = m_made.try_emplace({frames.stack, frames.size, stated}, m_program.stacks.size());
        if (isNew) {
            const ModuleStack& of = m_program.stacks[frames.stack.index()];
            ModuleStack made(of.begin(), of.begin() + frames.size);
            made.stated = stated;
            made.placedBy = PlacedBy::readers;
            m_program.stacks.push_back(std::move(made));
        }
        return at->second;
    }

    Program& m_program;
    std::vector<Frames> m_frames; ///< per node: its own frames, or those that its users share so far
    std::vector<char> m_isRead;   ///< per node: it has a placed user
    std::vector<char> m_isPlaced;
    std::vector<std::uint32_t> m_positions;
    std::map<std::tuple<StackId, std::uint32_t, StackId>, StackId> m_made;
};

/// Orders the nodes of a graph, moving each waiting node before its first user.
class ReaderOrder {
public:
    ReaderOrder(const Program& program, const Graph& graph)
        : m_program(program), m_graph(graph), m_positions(graph.positions()), m_waits(graph.idBound(), 0)
    {
    }

    std::vector<NodeId> run()
    {
        std::vector<NodeId> others;
        for (const NodeId id : m_graph.nodes()) {
            m_waits[id.index()] = mayWait(id) ? 1 : 0;
            if (m_waits[id.index()] == 0)
                others.push_back(id);
        }
        for (const NodeId id : others)
            take(id);
        return std::move(m_order);
    }

private:
    [[nodiscard]] bool mayWait(NodeId id) const
    {
        const Node& node = m_graph[id];
        const bool isPlaced = m_program.stackOf(node).placedBy == PlacedBy::readers;
        if (!node.isCall() || !isPlaced || node.userCount() == 0 || node.meta.mutated)
            return false;
        const auto inputs = m_graph.inputs(id);
        return std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
            return m_waits[input.index()] != 0 || m_graph[input].op == Op::placeholder || m_graph[input].op == Op::getAttr;
        });
    }

    void take(NodeId id)
    {
        const std::size_t begin = m_order.size();
        m_order.push_back(id);
        for (std::size_t at = begin; at < m_order.size(); ++at)
            for (const NodeId input : m_graph.inputs(m_order[at]))
                if (std::exchange(m_waits[input.index()], char{0}) != 0)
                    m_order.push_back(input);
        std::sort(m_order.begin() + static_cast<std::ptrdiff_t>(begin), m_order.end(),
                  [&](NodeId a, NodeId b) { return m_positions[a.index()] < m_positions[b.index()]; });
    }

    const Program& m_program;
    const Graph& m_graph;
    std::vector<std::uint32_t> m_positions;
    std::vector<char> m_waits; ///< per node: not yet output, because it waits for a user
    std::vector<NodeId> m_order;
};

} // namespace

std::vector<NodeId> orderByReaders(const Program& program, const Graph& graph)
{
    return ReaderOrder(program, graph).run();
}

void placeByReaders(Program& program)
{
    ReaderStacks stacks(program);
    for (Graph& graph : program.graphs)
        stacks.place(graph);
}

} // namespace sunder
