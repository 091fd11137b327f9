#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outliner.h"

#include <algorithm>

// Intermediate values of a buffer that reach a module with a preserved signature by the side. Either the buffer itself
// carries them: where one is made it is copied to the buffer, and the reader reads the buffer. Or each gets a buffer
// of its own, `__ival__NAME`, in every module that makes or reads it.

namespace sunder {

/// Notes that a value cannot be had in a frame, and the modules that would have to take it as an argument.
void Outliner::giveUp(std::size_t frame, NodeId flat)
{
    UnreachableValue unreachable{flat, {}};
    for (std::size_t i = 1; i <= frame; ++i)
        if (m_frames[i].closed)
            unreachable.readers.push_back(m_frames[i].path);
    m_outline.unreachable = std::move(unreachable);
}

NodeId Outliner::readAttribute(std::size_t frame, NodeId flat)
{
    const Node& value = m_flat.node(flat);
    const auto isInteger = [](const Argument& size) { return size.is(ArgumentKind::integer); };
    if (!value.meta.val || !value.meta.val->is(ArgumentKind::tensor)
        || !std::ranges::all_of(value.meta.val->asTensor().shape, isInteger)) {
        giveUp(frame, flat); // an attribute has one shape
        return {};
    }
    Graph& graph = graphOf(frame);
    const InternedString name = intern("__ival__" + value.name.str());
    const InsertScope scope(graph, graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first()));
    const NodeId node = create(frame,
                               {.op = Op::getAttr, .target = name, .type = value.type, .meta = withoutStorage(value.meta)});
    m_frames[frame].inputs.set(flat, node);
    note(frame, flat, node, true);
    m_outline.intermediates.push_back({m_frames[frame].object, name, flat});
    return node;
}

void Outliner::writeCrossings()
{
    if (m_outline.crossings.empty())
        return;
    std::vector<ObjectId> ownerOf(m_outline.objects.graphCount());
    for (std::size_t i = 0; i < m_outline.objects.size(); ++i)
        if (const ObjectGraphId graph = m_outline.objects[ObjectId(i)].graph; graph)
            ownerOf[graph.index()] = ObjectId(i);
    const std::vector<OutlinePair> pairs = m_outline.pairs;
    for (const OutlinePair& pair : pairs)
        if (!pair.created && m_crossingValues.find(pair.flat) && !isInPlace(m_flat.node(pair.flat))
            && !(m_options.asUpstream && ownerOf[pair.graph.index()] == ModuleObjects::root()))
            writeCrossing(pair, ownerOf[pair.graph.index()]);
}

void Outliner::writeCrossing(const OutlinePair& pair, ObjectId owner)
{
    Graph& graph = m_outline.objects.graph(pair.graph);
    const Node& value = m_flat.node(pair.flat);
    const NodeMeta meta = withoutStorage(value.meta); // it lies in the buffer
    Argument target;
    NodeId behind = pair.node;
    if (m_options.crossing == CrossingValues::attribute) {
        const InternedString name = intern("__ival__" + value.name.str());
        const InsertScope scope(graph, Graph::InsertPoint::after(behind));
        behind = m_outline.create(pair.graph, {.op = Op::getAttr, .target = name, .type = value.type, .meta = meta});
        target = Argument::node(behind);
        m_outline.intermediates.push_back({owner, name, pair.flat});
    } else {
        target = graph.node(pair.node).args.front();
    }
    const InsertScope scope(graph, Graph::InsertPoint::after(behind));
    m_outline.create(pair.graph,
                     {.op = Op::callFunction,
                      .target = intern("torch.ops.aten.copy_.default"),
                      .fn = intern("copy_.default"),
                      .args = {target, Argument::node(pair.node)},
                      .meta = meta});
}

} // namespace sunder
