#include "analysis/search/reached_nodes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sunder {
namespace {

/// `next` returns the neighbors of a node to continue with.
template <typename Next>
std::vector<NodeId> reachedFrom(const Graph& graph, std::span<const NodeId> nodes, const Next& next)
{
    std::vector<bool> seen(graph.idBound());
    std::vector<NodeId> reached;
    const auto visit = [&](NodeId id) {
        if (!seen[id.index()])
            reached.push_back(id);
        seen[id.index()] = true;
    };
    std::ranges::for_each(nodes, visit);
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const NodeId id : next(reached[i]))
            visit(id);
    std::ranges::sort(reached);
    return reached;
}

/// The operations that run in a module.
struct ModuleBody {
    InternedString cls;
    std::vector<std::pair<Op, InternedString>> operations;
    std::vector<NodeId> nodes;
};

} // namespace

std::vector<NodeId> withAllNeeded(const Graph& graph, std::span<const NodeId> nodes)
{
    return reachedFrom(graph, nodes, [&](NodeId id) { return graph.inputs(id); });
}

std::vector<NodeId> withAllNeeding(const Graph& graph, std::span<const NodeId> nodes)
{
    return reachedFrom(graph, nodes, [&](NodeId id) { return graph.users(id); });
}

std::vector<NodeId> sameOperations(const Graph& graph, std::span<const NodeId> nodes)
{
    std::set<std::pair<Op, std::string_view>> wanted;
    const auto operationOf = [&](NodeId id) {
        const Node& node = graph[id];
        return std::pair(node.op, node.isCall() ? node.target.view() : std::string_view()); // the targets of inputs are ignored
    };
    for (const NodeId id : nodes)
        wanted.insert(operationOf(id));
    std::vector<NodeId> same;
    for (const NodeId id : graph.nodes())
        if (wanted.contains(operationOf(id)))
            same.push_back(id);
    std::ranges::sort(same);
    return same;
}

std::vector<NodeId> inEqualModules(const Program& program, std::string_view path)
{
    const Graph& graph = program.rootGraph();
    std::map<std::string_view, ModuleBody> bodies; // by path
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        std::string_view before;
        for (const ModuleFrame& frame : program.stackOf(node)) {
            if (frame.path.empty() || frame.path.view() == before)
                continue;
            before = frame.path.view();
            ModuleBody& body = bodies[before];
            body.cls = frame.cls;
            body.operations.emplace_back(node.op, node.target);
            body.nodes.push_back(id);
        }
    }
    const auto wanted = bodies.find(path);
    if (wanted == bodies.end())
        return {};
    std::vector<NodeId> equal;
    for (const auto& [other, body] : bodies)
        if (body.cls == wanted->second.cls && body.operations == wanted->second.operations)
            equal.insert(equal.end(), body.nodes.begin(), body.nodes.end());
    std::ranges::sort(equal);
    equal.erase(std::ranges::unique(equal).begin(), equal.end());
    return equal;
}

} // namespace sunder
