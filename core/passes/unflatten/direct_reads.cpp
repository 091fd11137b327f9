#include "passes/unflatten/direct_reads.h"

#include <algorithm>

// torch first passes every tensor as an argument from module to module. Then it sinks the tensors: the module that owns a tensor
// reads it, and the arguments are removed. As an optimization, modules read their tensors directly from the start where the
// result is the same. This file reproduces the remaining effects of sinking.

namespace sunder {
namespace {

class Settling {
public:
    Settling(Outline& outline, const Graph& flat) : m_outline(outline), m_flat(flat) {}

    bool run()
    {
        if (m_outline.isOutOfOrder || m_outline.names.isUncertain() || !standsAsCalled())
            return false;
        m_outline.isSunk.resize(m_outline.objects.graphCount());
        orderRootReads();
        for (const CallRecord& call : m_outline.calls)
            if (m_outline.isSunk[m_outline.objects[call.object].graph.index()] != 0)
                renewUses(m_outline.objects.graphOf(call.parent), call.node);
        nameReads();
        return !m_outline.names.isUncertain();
    }

private:
    /// Returns whether the first path found for every module is the path of its call.
    [[nodiscard]] bool standsAsCalled() const
    {
        const ModuleObjects& objects = m_outline.objects;
        std::vector<const CallRecord*> callOf(objects.size());
        for (const CallRecord& call : m_outline.calls)
            callOf[call.object.index()] = &call;
        std::size_t met = 0;
        objects.walk([&](ObjectId object, std::string_view path) {
            const CallRecord* call = callOf[object.index()];
            met += call != nullptr && call->path.view() == path ? 1 : 0;
        });
        return met == m_outline.calls.size();
    }

    /// Reproduces how torch moves a node among the users of its inputs when it sets the node's arguments.
    static void renewUses(Graph& graph, NodeId node)
    {
        const auto isAlone = [&](NodeId input) { return graph.node(input).userCount() == 1; };
        const Graph::UseRange inputs = graph.inputs(node);
        if (std::all_of(inputs.begin(), inputs.end(), isAlone))
            return;
        graph.setArguments(node, Arguments(graph.node(node).args), Keywords(graph.node(node).kwargs));
    }

    /// The root has the placeholders of all tensors from the start, so their reads end up in reverse order.
    void orderRootReads()
    {
        const ObjectGraphId rootId = m_outline.objects[ModuleObjects::root()].graph;
        Graph& root = m_outline.objects.graph(rootId);
        std::vector<TensorRead> reads;
        for (const TensorRead& read : m_outline.reads)
            if (read.graph == rootId)
                reads.push_back(read);
        if (reads.size() < 2)
            return;
        std::erase_if(m_outline.reads, [&](const TensorRead& read) { return read.graph == rootId; });
        const std::vector<std::uint32_t> positions = m_flat.positions();
        const auto isBefore = [&](const TensorRead& a, const TensorRead& b) {
            return positions[a.flat.index()] > positions[b.flat.index()];
        };
        NodeId behind = reads.front().node; // the read created first is the first in the graph
        std::sort(reads.begin(), reads.end(), isBefore);
        if (behind != reads.front().node)
            root.moveBefore(reads.front().node, behind);
        behind = {};
        for (const TensorRead& read : reads) {
            if (behind)
                root.moveAfter(read.node, behind);
            behind = read.node;
        }
        m_outline.reads.insert(m_outline.reads.end(), reads.begin(), reads.end());
    }

    /// Names the reads of each graph, last first.
    void nameReads()
    {
        for (auto read = m_outline.reads.rbegin(); read != m_outline.reads.rend(); ++read) {
            Graph& graph = m_outline.objects.graph(read->graph);
            const Node& node = graph.node(read->node);
            const InternedString candidate = candidateName(node.op, node.target, node.fn);
            graph.setName(read->node, m_outline.names.create(read->graph, graph, candidate));
            m_users.assign(graph.users(read->node).begin(), graph.users(read->node).end());
            for (const NodeId user : m_users)
                renewUses(graph, user);
        }
    }

    Outline& m_outline;
    const Graph& m_flat;
    std::vector<NodeId> m_users; ///< scratch: users of the current read
};

} // namespace

bool settleReads(Outline& outline, const Graph& flat)
{
    return Settling(outline, flat).run();
}

} // namespace sunder
