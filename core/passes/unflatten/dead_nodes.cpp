#include "passes/unflatten/dead_nodes.h"

#include "analysis/run_order/call_effects.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <algorithm>

namespace sunder {
namespace {

/// Whether a node without users may go. Unknown operators are kept: what they do is not to be seen from a file.
class DeadNodes {
public:
    DeadNodes(const Program& program, bool asUpstream) : m_effects(program), m_asUpstream(asUpstream) {}

    /// `owner`: the module of the graph.
    bool isDead(ModuleId owner, const Node& node)
    {
        if (node.userCount() != 0)
            return false;
        if (node.op == Op::getAttr)
            return true;
        if (node.op != Op::callFunction || node.meta.mutated)
            return false;
        const OperatorFacts& facts = m_operators.of(node);
        switch (facts.role) {
        case CallRole::function:
        case CallRole::getItem:
        case CallRole::query:
        case CallRole::container:
        case CallRole::functionalizes: {
            const CallFacts does = callFacts(facts, NodeArguments(node));
            return facts.known && does.written.empty() && !does.random;
        }
        case CallRole::invoke:
        case CallRole::gradRegion:
        case CallRole::autocastRegion:
        case CallRole::closures: return m_asUpstream || !hasEffects(m_effects.of(owner, node));
        default: return false;
        }
    }

private:
    static bool hasEffects(const CallEffects& does)
    {
        return !does.known || does.ordered || does.random || does.setsState || does.writesBuffers || does.writesHeld
            || !does.written.empty();
    }

    OperatorCatalogue m_operators;
    EffectFinder m_effects;
    bool m_asUpstream;
};

/// The module whose graph it is; invalid if there is none. The graph of the program belongs to the root.
ModuleId ownerOf(const Program& program, GraphId graph)
{
    const ModuleId owner = program.owners[graph.index()];
    return owner && program.modules[owner].graph == graph ? owner : ModuleId();
}

} // namespace

void removeDeadNodes(Program& program, bool asUpstream)
{
    DeadNodes dead(program, asUpstream);
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        Graph& graph = program.graph(GraphId(i));
        const ModuleId owner = ownerOf(program, GraphId(i));
        for (NodeId id = owner ? graph.last() : NodeId(); id;) {
            const NodeId previous = graph.previous(id);
            if (dead.isDead(owner, graph.node(id)))
                (void)graph.erase(id);
            id = previous;
        }
    }
}

bool hasDeadNodes(const Program& program, bool asUpstream)
{
    DeadNodes dead(program, asUpstream);
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        const Graph& graph = program.graph(GraphId(i));
        const ModuleId owner = ownerOf(program, GraphId(i));
        if (owner && std::ranges::any_of(graph.nodes(), [&](NodeId id) { return dead.isDead(owner, graph.node(id)); }))
            return true;
    }
    return false;
}

} // namespace sunder
