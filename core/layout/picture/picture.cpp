#include "layout/picture/picture.h"

#include "ir/tensor_meta.h"
#include "layout/collapse/collapse.h"
#include "layout/compose/compose.h"
#include "layout/picture/item_looks.h"
#include "layout/picture/picture_values.h"

#include <algorithm>

namespace sunder {
namespace {

/// Bytes of the values of an edge; 0 when one is unknown.
std::uint64_t bytesOf(const Graph& graph, const std::vector<NodeId>& values)
{
    std::uint64_t total = 0;
    for (const NodeId value : values) {
        const std::optional<Argument>& val = graph.node(value).meta.val;
        const std::optional<std::uint64_t> bytes = val ? byteSize(*val) : std::nullopt;
        if (!bytes || __builtin_add_overflow(total, *bytes, &total))
            return 0;
    }
    return total;
}

} // namespace

Result<Picture> buildPicture(const Program& program, GraphId graphId, const PictureOptions& options, const LayoutEngine& engine,
                             ProgressMonitor& monitor)
{
    const Graph& graph = program.graph(graphId);
    const collapse::ScopeTree scopes = collapse::scopesOf(program, options.within);
    const collapse::UnitGraph units = collapse::unitsOf(program, graphId, scopes, options);
    const Result<collapse::Collapsed> collapsed = collapse::collapse(graph, scopes, units, options, monitor);
    if (!collapsed)
        return forward(collapsed);
    const collapse::ValueFlow flow = collapse::flowOf(graph, units, *collapsed, options);
    Picture picture;
    picture.items = collapse::itemsOf({program, graph, scopes, units, *collapsed, flow, options});
    picture.itemOf = collapse::itemOfNodes(units, *collapsed);
    const Result<void> composed = compose::composePicture(graph, *collapsed, flow.dependencies, engine, options, picture,
                                                          monitor);
    if (!composed)
        return forward(composed);
    for (PictureEdge& edge : picture.edges)
        edge.bytes = bytesOf(graph, edge.values);
    return picture;
}

} // namespace sunder
