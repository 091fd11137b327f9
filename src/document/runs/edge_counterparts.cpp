#include "document/runs/edge_counterparts.h"

#include "document/runs/counterparts.h"

namespace sunder {
namespace {

/// Returns the edge in `caller` that feeds a placeholder of `called`; nothing if `input` is not a placeholder.
std::optional<EdgeEnds> edgeIntoCall(const Program& program, GraphId caller, GraphId called, NodeId input)
{
    const Graph& inner = program.graph(called);
    const Graph& outer = program.graph(caller);
    const ModuleId owner = called.index() < program.owners.size() ? program.owners[called.index()] : ModuleId();
    if (!owner || inner[input].op != Op::placeholder)
        return std::nullopt;
    std::size_t place = 0;
    for (const NodeId id : inner.nodes()) {
        if (id == input)
            break;
        place += inner[id].op == Op::placeholder ? 1 : 0;
    }
    for (const NodeId call : outer.nodes())
        if (outer[call].op == Op::callModule && outer[call].target == program.modules[owner].path
            && place < outer[call].args.size() && outer[call].args[place].is(ArgumentKind::node))
            return EdgeEnds{outer[call].args[place].asNode(), call};
    return std::nullopt;
}

} // namespace

std::optional<EdgeEnds> sameEdge(const Graph& here, const EdgeEnds& edge, const Graph& there, NodeId reader)
{
    const auto read = here.inputs(edge.reader);
    const auto reads = there.inputs(reader);
    const std::vector<NodeId> from(read.begin(), read.end());
    const std::vector<NodeId> to(reads.begin(), reads.end());
    const auto place = std::find(from.begin(), from.end(), edge.value);
    if (from.size() != to.size() || place == from.end())
        return std::nullopt;
    return EdgeEnds{to[static_cast<std::size_t>(place - from.begin())], reader};
}

std::optional<EdgeEnds> edgeInSource(const Program& source, const Run& run, const SelectedEdge& edge)
{
    const Program* program = programOf(run);
    if (program == nullptr)
        return std::nullopt;
    for (const ValueBetween& value : edge.values)
        for (const NodeId reader : value.readers)
            for (const NodeId of : sourcesOf(&run, source.root, {{edge.graph, reader}}))
                if (const auto same = sameEdge(program->graph(edge.graph), {value.value, reader}, source.rootGraph(), of))
                    return same;
    return std::nullopt;
}

std::optional<EdgeEnds> edgeInRun(const Program& source, const EdgeEnds& edge, const Run& run, GraphId graph)
{
    const Program* program = programOf(run);
    if (program == nullptr || !edge.reader)
        return std::nullopt;
    for (const NodeRef reader : copiesIn(&run, source.root, {edge.reader})) {
        const auto same = sameEdge(source.rootGraph(), edge, program->graph(reader.graph), reader.node);
        if (!same)
            continue;
        if (reader.graph == graph)
            return same;
        if (const auto into = edgeIntoCall(*program, graph, reader.graph, same->value))
            return into;
    }
    return std::nullopt;
}

} // namespace sunder
