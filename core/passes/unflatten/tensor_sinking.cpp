#include "passes/unflatten/tensor_sinking.h"

#include "passes/unflatten/flat_tensors.h"

#include <algorithm>
#include <unordered_set>

// torch first passes every tensor as an argument from module to module. Then it sinks the tensors (Sinker): the module that owns a
// tensor reads it, and the arguments are removed. As an optimization, modules read their tensors directly from the start where the
// result is the same; Settling reproduces the remaining effects of sinking.

namespace sunder {
namespace {

class Sinker {
public:
    Sinker(Outline& outline, const TensorNames& tensors, bool asUpstream)
        : m_outline(outline), m_tensors(tensors), m_asUpstream(asUpstream), m_callsOf(outline.objects.size()),
          m_removed(outline.objects.size())
    {
        outline.isSunk.resize(outline.objects.graphCount());
        outline.sunk.resize(outline.objects.graphCount());
        for (std::size_t i = 0; i < outline.calls.size(); ++i)
            m_callsOf[outline.calls[i].parent.index()].push_back(static_cast<std::uint32_t>(i));
    }

    /// Visits children before parents; a module at several paths is processed at the first path found.
    void run()
    {
        m_outline.objects.walk([this](ObjectId object, std::string_view path) {
            m_scope = path;
            if (m_outline.objects[object].kind == ModuleObject::Kind::interpreter)
                sink(object);
        });
    }

private:
    /// Inputs that a module no longer has.
    struct Removed {
        bool any = false;
        std::vector<bool> positions;
        std::unordered_set<InternedString> names; ///< torch finds them by name
    };

    void sink(ObjectId id)
    {
        Graph& graph = m_outline.objects.graphOf(id);
        if (graph.empty())
            return;
        std::vector<NodeId> inputs;
        for (const NodeId node : graph.nodes())
            if (graph.node(node).op == Op::placeholder)
                inputs.push_back(node);
        dropArguments(id, graph);
        const std::size_t own = m_asUpstream ? 0 : m_outline.objects[id].ownInputs;
        Removed& removed = m_removed[id.index()];
        removed.positions.resize(inputs.size());
        for (std::size_t i = 0; i + own < inputs.size(); ++i) {
            const InternedString name = nameInScope(graph.node(inputs[i]), id == ModuleObjects::root());
            if (name.empty())
                continue;
            removed.positions[i] = true;
            m_outline.isSunk[m_outline.objects[id].graph.index()] = 1;
            if (m_asUpstream)
                removed.names.insert(graph.node(inputs[i]).name);
            removed.any = true;
            replace(m_outline.objects[id].graph, inputs[i], inputs.back(), name);
        }
    }

    /// Returns the name of the placeholder's tensor in the module or its descendants; empty if there is none.
    InternedString nameInScope(const Node& node, bool isRoot) const
    {
        const std::uint32_t* number = m_tensors.numberOf(node.name);
        if (number == nullptr || (!m_asUpstream && !isRoot && node.name != node.target))
            return {};
        return m_tensors.nameBelow(m_scope, *number);
    }

    void replace(ObjectGraphId graphId, NodeId input, NodeId last, InternedString name)
    {
        Graph& graph = m_outline.objects.graph(graphId);
        if (graph.node(input).userCount() > 0) {
            const std::string_view path = name.view().substr(m_scope.empty() ? 0 : m_scope.size() + 1);
            const InsertScope scope(graph, Graph::InsertPoint::after(last));
            const NodeId read = m_outline.create(graphId,
                                                 {.op = Op::getAttr, .target = intern(path), .meta = graph.node(input).meta});
            graph.replaceAllUses(input, read);
            m_outline.sunk[graphId.index()].set(input, read);
            m_outline.reads.push_back({graphId, read, *m_tensors.numberOf(graph.node(input).name)});
        }
        (void)graph.erase(input);
    }

    void dropArguments(ObjectId id, Graph& graph)
    {
        for (const std::uint32_t call : m_callsOf[id.index()]) {
            const CallRecord& record = m_outline.calls[call];
            ObjectId callee = record.object;
            if (m_asUpstream)
                callee = m_outline.objects.find(id, graph.node(record.node).target.view());
            if (!callee || !m_removed[callee.index()].any)
                continue;
            const Removed& removed = m_removed[callee.index()];
            const Node& node = graph.node(record.node);
            Arguments kept;
            for (std::size_t i = 0; i < node.args.size(); ++i) {
                const bool gone = m_asUpstream
                    ? node.args[i].is(ArgumentKind::node) && removed.names.contains(graph.node(node.args[i].asNode()).name)
                    : i < removed.positions.size() && removed.positions[i];
                if (!gone)
                    kept.push_back(node.args[i]);
            }
            if (kept.size() < node.args.size())
                m_outline.isSunk[m_outline.objects[id].graph.index()] = 1;
            Keywords kwargs = node.kwargs;
            graph.setArguments(record.node, std::move(kept), std::move(kwargs));
        }
    }

    Outline& m_outline;
    const TensorNames& m_tensors;
    bool m_asUpstream;
    std::vector<std::vector<std::uint32_t>> m_callsOf; ///< per object: calls in its graph
    std::vector<Removed> m_removed; ///< per object
    std::string_view m_scope; ///< path of the current module, without call indices
};

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

void sinkParameters(Outline& outline, const TensorNames& tensors, bool asUpstream)
{
    Sinker(outline, tensors, asUpstream).run();
}

bool settleReads(Outline& outline, const Graph& flat)
{
    return Settling(outline, flat).run();
}

} // namespace sunder
