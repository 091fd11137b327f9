#include "passes/deduplicate/subgraph_program.h"

#include "passes/regions/enclosing_module.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::size_t kBeforeInputs = 2; ///< arguments of invoke_subgraph: the graph and its name

/// Returns the node that a call passes for input number `place`; invalid if the argument is no node.
NodeId passedAt(const Graph& main, NodeId call, std::size_t place)
{
    const Arguments& args = main[call].args;
    const std::size_t at = place + kBeforeInputs;
    return at < args.size() && args[at].is(ArgumentKind::node) ? args[at].asNode() : NodeId();
}

} // namespace

RegionProgram subgraphProgram(const DedupResult& result, const SharedSubgraph& subgraph)
{
    RegionProgram made{.program = result.program, .nodes = {}};
    Program& program = made.program;
    const Graph& main = result.program.rootGraph();
    std::unordered_map<InternedString, const InputSpec*> lifted;
    if (result.program.signature)
        for (const InputSpec& spec : result.program.signature->inputs)
            if (spec.kind != InputKind::user && spec.kind != InputKind::token)
                lifted.emplace(spec.name, &spec);
    program.root = subgraph.graph;
    program.signature.emplace();
    Graph& graph = program.rootGraph();
    std::size_t place = 0;
    std::vector<NodeId> ops;
    for (const NodeId id : graph.order()) {
        if (graph[id].isCall())
            ops.push_back(id);
        if (graph[id].op != Op::placeholder)
            continue;
        const std::size_t at = place++;
        const NodeId passed = subgraph.calls.empty() ? NodeId() : passedAt(main, subgraph.calls.front(), at);
        if (!passed)
            continue;
        graph.meta(id).trace = main[passed].meta.trace;
        if (const auto spec = lifted.find(main[passed].name); spec != lifted.end()) {
            program.signature->inputs.push_back(*spec->second);
            program.signature->inputs.back().name = graph[id].name;
        }
        if (subgraph.calls.size() > 1
            && std::ranges::all_of(subgraph.calls, [&](NodeId call) { return passedAt(main, call, at) == passed; }))
            made.shared.push_back(id);
    }
    made.within = enclosingModule(program, ops);
    return made;
}

} // namespace sunder
