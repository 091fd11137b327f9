#include "layout/picture/picture_builder.h"

#include "ir/tensor_meta.h"
#include "layout/compose/compose.h"
#include "layout/picture/isolation.h"
#include "layout/picture/item_looks.h"
#include "layout/picture/picture_values.h"

#include <optional>

namespace sunder {
namespace {

/// Returns the total bytes of an edge's values; 0 if any is unknown.
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

PictureBuilder::PictureBuilder(const Program& program, GraphId graph, const PictureOptions& options, ProgressMonitor& monitor)
    : m_program(program), m_graph(program.graph(graph)), m_scopes(collapse::scopesOf(program, options.within, monitor)),
      m_units(collapse::unitsOf(program, graph, m_scopes, options, monitor))
{
}

Result<collapse::Collapsed> PictureBuilder::collapsed(const PictureOptions& options, ProgressMonitor& monitor) const
{
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Drawing the graph was canceled.");
    return collapse::collapse(m_graph, m_scopes, m_units, options, monitor);
}

Result<Picture> PictureBuilder::build(const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor) const
{
    const Result<collapse::Collapsed> items = collapsed(options, monitor);
    return items ? build(*items, options, engine, monitor) : Result<Picture>(forward(items));
}

Result<Picture> PictureBuilder::build(const collapse::Collapsed& items, const PictureOptions& options, const LayoutEngine& engine,
                                      ProgressMonitor& monitor) const
{
    const collapse::ValueFlow flow = collapse::flowOf(m_graph, m_units, items, options);
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Drawing the graph was canceled.");
    Picture picture;
    picture.items = collapse::itemsOf({m_program, m_graph, m_scopes, m_units, items, flow, options});
    picture.itemOf = collapse::itemOfNodes(m_units, items);
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "Drawing the graph was canceled.");
    std::optional<collapse::Isolated> isolated;
    if (!options.only.empty())
        isolated = collapse::isolate(options.only, items, flow, picture);
    const Result<void> composed = compose::composePicture(m_graph, isolated ? isolated->items : items,
                                                          isolated ? isolated->flow.dependencies : flow.dependencies, engine,
                                                          options, picture, monitor);
    if (!composed)
        return forward(composed);
    for (PictureEdge& edge : picture.edges)
        edge.bytes = bytesOf(m_graph, edge.values);
    return picture;
}

Result<Picture> buildPicture(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                             ProgressMonitor& monitor)
{
    return PictureBuilder(program, graph, options, monitor).build(options, engine, monitor);
}

} // namespace sunder
