#include "passes/unflatten/tensor_sinking.h"

#include "passes/unflatten/flat_tensors.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

class Sinker {
public:
    Sinker(Outline& outline, const FlatTensors& tensors, bool asUpstream)
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
        std::unordered_set<InternedString> names; ///< PyTorch finds them by name
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
    const FlatTensors& m_tensors;
    bool m_asUpstream;
    std::vector<std::vector<std::uint32_t>> m_callsOf; ///< per object: calls in its graph
    std::vector<Removed> m_removed; ///< per object
    std::string_view m_scope; ///< path of the current module, without call indices
};

} // namespace

void sinkParameters(Outline& outline, const FlatTensors& tensors, bool asUpstream)
{
    Sinker(outline, tensors, asUpstream).run();
}

} // namespace sunder
