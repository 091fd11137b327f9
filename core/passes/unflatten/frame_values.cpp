#include "passes/unflatten/frame_values.h"

#include "passes/unflatten/side_reads.h"

namespace sunder {
NodeId FrameValues::of(std::size_t frame, NodeId flat)
{
    if (m_draft.failed())
        return {};
    if (const NodeId node = m_draft.frames[frame].nodes.find(flat); node)
        return node;
    if (const NodeId node = m_draft.frames[frame].inputs.find(flat); node)
        return node;
    if (m_depth == kMaxRequests) {
        m_draft.stop("more than " + std::to_string(kMaxRequests) + " values would have to be recomputed for "
                         + m_draft.flat.node(flat).name.str(),
                     flat);
        return {};
    }
    ++m_depth;
    const NodeId node = make(frame, flat);
    --m_depth;
    return node;
}

NodeId FrameValues::make(std::size_t frame, NodeId flat)
{
    const Node& value = m_draft.flat.node(flat);
    const SideWay way = m_draft.frames[frame].closed ? sideWay(value, m_crossing) : SideWay::argument;
    switch (way) {
    case SideWay::argument: return passDown(frame, flat);
    case SideWay::recomputed: return recompute(frame, flat);
    case SideWay::attribute: m_crossings.note(flat); return m_crossings.readAttribute(frame, flat);
    case SideWay::buffer: m_crossings.note(flat); return of(frame, value.args.front().asNode());
    case SideWay::unreachable: // the plan has dropped the signature
    case SideWay::refused: break;
    }
    const std::string path = m_draft.frames[frame].path.str();
    m_draft.stop("module " + path + " with a preserved signature uses " + value.name.str()
                     + ", which is not one of its arguments",
                 flat, path);
    return {};
}

NodeId FrameValues::passDown(std::size_t frame, NodeId flat)
{
    const Node& value = m_draft.flat.node(flat);
    if (frame == 0) {
        m_draft.stop(
            value.name.str() + " is used after the call of the module that computes it, but the module does not return it", flat);
        return {};
    }
    Graph& graph = m_draft.graphOf(frame);
    NodeId placeholder;
    {
        const InsertScope scope(graph, graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first()));
        placeholder = graph.insert({.op = Op::placeholder,
                                    .name = m_draft.outline.names.keep(m_draft.frames[frame].graph, graph, value.name),
                                    .target = value.name,
                                    .type = value.type,
                                    .meta = value.meta});
    }
    m_draft.frames[frame].inputs.set(flat, placeholder);
    m_draft.note(frame, flat, placeholder, true);
    const InsertScope scope(m_draft.graphOf(frame - 1), Graph::InsertPoint::before(m_draft.frames[frame].callNode));
    if (const NodeId argument = of(frame - 1, flat); argument) {
        m_draft.frames[frame].late.push_back(Argument::node(argument));
        if (m_crossings.contains(flat)) // a buffer that holds the value
            m_draft.graphOf(frame).meta(placeholder) = withoutStorage(value.meta);
    }
    return placeholder;
}

NodeId FrameValues::recompute(std::size_t frame, NodeId flat)
{
    const Node& value = m_draft.flat.node(flat);
    Arguments args = in(frame, value.args);
    Keywords kwargs = in(frame, value.kwargs);
    if (m_draft.failed())
        return {};
    const NodeId node = m_draft.create(frame,
                                       {.op = Op::callFunction,
                                        .target = value.target,
                                        .fn = value.fn,
                                        .args = std::move(args),
                                        .kwargs = std::move(kwargs),
                                        .meta = value.meta});
    m_draft.noteValue(frame, flat, node, true);
    return node;
}

NodeId CrossingReads::readAttribute(std::size_t frame, NodeId flat)
{
    const Node& value = m_draft.flat.node(flat);
    Graph& graph = m_draft.graphOf(frame);
    const InternedString name = intern("__ival__" + value.name.str());
    const InsertScope scope(graph, graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first()));
    const NodeId node = m_draft.create(
        frame, {.op = Op::getAttr, .target = name, .type = value.type, .meta = withoutStorage(value.meta)});
    m_draft.frames[frame].inputs.set(flat, node);
    m_draft.note(frame, flat, node, true);
    m_draft.outline.intermediates.push_back({m_draft.frames[frame].object, name, flat});
    return node;
}

void CrossingReads::write()
{
    if (m_values.empty())
        return;
    std::vector<ObjectId> ownerOf(m_draft.outline.objects.graphCount());
    for (std::size_t i = 0; i < m_draft.outline.objects.size(); ++i)
        if (const ObjectGraphId graph = m_draft.outline.objects[ObjectId(i)].graph; graph)
            ownerOf[graph.index()] = ObjectId(i);
    const std::vector<OutlinePair> pairs = m_draft.outline.pairs;
    for (const OutlinePair& pair : pairs)
        if (!pair.created && contains(pair.flat) && !isInPlace(m_draft.flat.node(pair.flat))
            && !(m_options.asUpstream && ownerOf[pair.graph.index()] == ModuleObjects::root()))
            writeOne(pair, ownerOf[pair.graph.index()]);
}

void CrossingReads::writeOne(const OutlinePair& pair, ObjectId owner)
{
    Graph& graph = m_draft.outline.objects.graph(pair.graph);
    const Node& value = m_draft.flat.node(pair.flat);
    const NodeMeta meta = withoutStorage(value.meta); // it is stored in the buffer
    Argument target;
    NodeId behind = pair.node;
    if (m_options.crossing == CrossingValues::attribute) {
        const InternedString name = intern("__ival__" + value.name.str());
        const InsertScope scope(graph, Graph::InsertPoint::after(behind));
        behind = m_draft.outline.create(pair.graph, {.op = Op::getAttr, .target = name, .type = value.type, .meta = meta});
        target = Argument::node(behind);
        m_draft.outline.intermediates.push_back({owner, name, pair.flat});
    } else {
        target = graph.node(pair.node).args.front();
    }
    const InsertScope scope(graph, Graph::InsertPoint::after(behind));
    m_draft.outline.create(pair.graph,
                           {.op = Op::callFunction,
                            .target = intern("torch.ops.aten.copy_.default"),
                            .fn = intern("copy_.default"),
                            .args = {target, Argument::node(pair.node)},
                            .meta = meta});
}

} // namespace sunder
