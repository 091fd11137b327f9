#include "document/runs/edge_counterparts.h"

#include "document/runs/counterparts.h"

namespace sunder {

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
    for (const CarriedValue& value : edge.values)
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
    for (const NodeRef reader : copiesIn(&run, source.root, {edge.reader}))
        if (reader.graph == graph)
            if (const auto same = sameEdge(source.rootGraph(), edge, program->graph(graph), reader.node))
                return same;
    return std::nullopt;
}

} // namespace sunder
