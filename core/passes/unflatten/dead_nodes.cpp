#include "passes/unflatten/flat_graph.h"

#include "analysis/run_order/call_effects.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>

namespace sunder {
namespace {

/// Decides whether a node without users can be removed. Unknown operators are kept, because a file does not describe their
/// effects.
class DeadNodes {
public:
    DeadNodes(const Program& program, bool asUpstream) : m_program(program), m_effects(program), m_asUpstream(asUpstream) {}

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
        case CallRole::closures: return m_asUpstream || m_effects.of(owner, node).isPure() || onlyAsserts(owner, node);
        default: return false;
        }
    }

private:
    /// Returns whether the only effects of a region are assertions that agree with the descriptions of its tensors. Linear in the
    /// nodes inside, for each enclosing region.
    bool onlyAsserts(ModuleId owner, const Node& region, int depth = 0)
    {
        constexpr int kMaxDepth = 64;
        const CallRole role = m_operators.of(region).role;
        if ((role != CallRole::gradRegion && role != CallRole::autocastRegion) || depth > kMaxDepth)
            return false;
        bool only = true;
        std::size_t graphs = 0;
        forEachNode(region.args, region.kwargs, [&](NodeId input) {
            const ModuleId module = moduleRead(owner, input);
            if (!only || !module)
                return;
            ++graphs;
            const Graph& graph = m_program.graph(m_program.modules[module].graph);
            only = std::ranges::all_of(graph.nodes(), [&](NodeId id) {
                const Node& node = graph.node(id);
                const TensorMeta* const asserted = node.args.empty() ? nullptr : describedTensor(graph, node.args[0]);
                return !node.isCall() || (asserted != nullptr && statesDescription(node, *asserted))
                    || m_effects.of(module, node).isPure() || onlyAsserts(module, node, depth + 1);
            });
        });
        return only && graphs == 1;
    }

    /// Returns the module with a graph that a get_attr node of the owner's graph refers to; invalid if there is none.
    ModuleId moduleRead(ModuleId owner, NodeId id) const
    {
        const Node& node = m_program.graph(m_program.modules[owner].graph).node(id);
        const std::string_view path = m_program.modules[owner].path.view();
        const ModuleId module = node.op == Op::getAttr ? m_program.modules.resolve(joinPath(path, node.target.view()))
                                                       : ModuleId();
        return module && m_program.modules[module].graph ? module : ModuleId();
    }

    const Program& m_program;
    OperatorCatalog m_operators;
    EffectFinder m_effects;
    bool m_asUpstream;
};

/// Returns the module that owns a graph; invalid if there is none. The root graph belongs to the root module.
ModuleId ownerOf(const Program& program, GraphId graph)
{
    const ModuleId owner = program.owners[graph.index()];
    return owner && program.modules[owner].graph == graph ? owner : ModuleId();
}

} // namespace

std::vector<InternedString> removeDeadNodes(Program& program, bool asUpstream)
{
    DeadNodes dead(program, asUpstream);
    std::vector<InternedString> removed;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        Graph& graph = program.graph(GraphId(i));
        const ModuleId owner = ownerOf(program, GraphId(i));
        const auto before = std::ssize(removed);
        for (NodeId id = owner ? graph.last() : NodeId(); id;) {
            const NodeId previous = graph.previous(id);
            if (dead.isDead(owner, graph.node(id))) {
                if (graph.node(id).isCall())
                    removed.push_back(graph.node(id).name);
                (void)graph.erase(id);
            }
            id = previous;
        }
        std::reverse(removed.begin() + before, removed.end());
    }
    return removed;
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
