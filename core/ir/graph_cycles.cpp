#include "ir/graph_cycles.h"

#include "ir/graph_values.h"

#include <algorithm>

namespace sunder {
namespace {

/// A reference from a node of one graph to another graph.
struct Reference {
    NodeId node;
    GraphId graph;
};

class References {
public:
    explicit References(const Program& program) : m_program(program)
    {
        for (std::size_t i = 1; i < program.modules.size(); ++i) // the root's graph cannot be called by path
            m_modulesHaveGraphs |= program.modules[ModuleId(i)].graph.isValid() || program.modules[ModuleId(i)].calls
                || program.modules[ModuleId(i)].same.isValid();
    }

    [[nodiscard]] std::vector<Reference> of(GraphId graph) const
    {
        std::vector<Reference> found;
        const ModuleId owner = m_program.owners[graph.index()];
        for (const NodeId id : m_program.graph(graph).nodes()) {
            const Node& node = m_program.graph(graph).node(id);
            for (const Argument& argument : node.args)
                addArgument(argument, id, found);
            for (const Keyword& keyword : node.kwargs)
                addArgument(keyword.value, id, found);
            if (m_modulesHaveGraphs && owner && (node.op == Op::callModule || node.op == Op::getAttr))
                addModule(joinPath(m_program.modules[owner].path.view(), node.target.view()), id, found);
        }
        return found;
    }

private:
    static void addArgument(const Argument& argument, NodeId node, std::vector<Reference>& found)
    {
        if (argument.is(ArgumentKind::graph))
            found.push_back({node, argument.asGraph()});
        for (const Argument& item : argument.items())
            addArgument(item, node, found);
    }

    void addModule(const std::string& path, NodeId node, std::vector<Reference>& found) const
    {
        const ModuleId id = m_program.modules.resolve(path);
        if (!id)
            return;
        const Module& module = m_program.modules[id];
        if (module.graph)
            found.push_back({node, module.graph});
        if (module.calls)
            for (const GraphId graph : *module.calls)
                found.push_back({node, graph});
    }

    const Program& m_program;
    bool m_modulesHaveGraphs = false;
};

} // namespace

std::optional<NodeRef> nodeThatHoldsItsOwnGraph(const Program& program)
{
    enum class State : std::uint8_t { unseen, open, done };
    struct Open {
        GraphId graph;
        std::vector<Reference> references;
        std::size_t next = 0;
    };
    const References references(program);
    std::vector<State> states(program.graphs.size(), State::unseen);
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        if (states[i] != State::unseen)
            continue;
        std::vector<Open> path = {{GraphId(i), references.of(GraphId(i))}};
        states[i] = State::open;
        while (!path.empty()) {
            if (path.back().next == path.back().references.size()) {
                states[path.back().graph.index()] = State::done;
                path.pop_back();
                continue;
            }
            const Reference reference = path.back().references[path.back().next++];
            State& state = states[reference.graph.index()];
            if (state == State::open)
                return NodeRef{path.back().graph, reference.node};
            if (state == State::done)
                continue;
            state = State::open;
            path.push_back({reference.graph, references.of(reference.graph)});
        }
    }
    return std::nullopt;
}

} // namespace sunder
