#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outliner.h"

#include <algorithm>
#include <array>

// How values get into a module. A value from outside becomes a placeholder, and the caller, asked for the same value,
// passes it on. A module with a preserved signature takes nothing but its arguments: what is cheap is computed again
// inside; anything else is taken for an intermediate value of a mutated buffer, and read from the buffer.

namespace sunder {
namespace {

constexpr std::uint32_t kMaxDepth = 2000; ///< of one value asking for another

bool isRecomputed(const Node& node)
{
    static constexpr std::array<std::string_view, 6> kCheap = {"torch.ops.aten.sym_size.int", "torch.ops.aten.item.default",
                                                               "torch.ops.aten.unbind.int",   "torch.ops.aten.sum.dim_IntList",
                                                               "torch.ops.aten.view.default", "torch.ops.aten.diff.default"};
    const std::string_view target = node.target.view();
    return node.op == Op::callFunction
        && (target.starts_with("_operator.") || std::find(kCheap.begin(), kCheap.end(), target) != kCheap.end());
}

} // namespace

NodeId Outliner::remap(std::size_t frame, NodeId flat)
{
    if (failed())
        return {};
    if (const NodeId node = m_frames[frame].nodes.find(flat); node)
        return node;
    if (const NodeId node = m_frames[frame].inputs.find(flat); node)
        return node;
    if (m_depth == kMaxDepth) {
        stop("more than " + std::to_string(kMaxDepth) + " values would have to be computed again for "
                 + m_flat.node(flat).name.str(),
             flat);
        return {};
    }
    ++m_depth;
    NodeId node;
    if (m_tensors != nullptr && m_tensorOf[flat.index()] != kNone)
        node = readTensor(frame, flat);
    else if (m_flat.node(flat).op == Op::placeholder || !m_frames[frame].closed)
        node = passDown(frame, flat);
    else if (isRecomputed(m_flat.node(flat)))
        node = recompute(frame, flat);
    else
        node = readCrossing(frame, flat);
    --m_depth;
    return node;
}

NodeId Outliner::passDown(std::size_t frame, NodeId flat)
{
    const Node& value = m_flat.node(flat);
    if (frame == 0) {
        stop(value.name.str() + " is used after the module that computes it has returned without it", flat);
        return {};
    }
    Graph& graph = graphOf(frame);
    NodeId placeholder;
    {
        const InsertScope scope(graph, graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first()));
        placeholder = graph.insert({.op = Op::placeholder,
                                    .name = m_outline.names.keep(m_frames[frame].graph, graph, value.name),
                                    .target = value.name,
                                    .type = value.type,
                                    .meta = value.meta});
    }
    if (!m_frames[frame].lastInput)
        m_frames[frame].lastInput = placeholder;
    m_frames[frame].inputs.set(flat, placeholder);
    note(frame, flat, placeholder, true);
    const InsertScope scope(graphOf(frame - 1), Graph::InsertPoint::before(m_frames[frame].callNode));
    if (const NodeId argument = remap(frame - 1, flat); argument) {
        m_frames[frame].late.push_back(Argument::node(argument));
        if (m_crossingValues.find(flat)) // a buffer that holds the value
            graphOf(frame).meta(placeholder) = withoutStorage(value.meta);
    }
    return placeholder;
}

/// Reads come behind the placeholders, in the order in which torch, which passes tensors down as arguments before it
/// turns these into reads, asks for them: not that of the nodes, when a module reads what one in it has read before.
NodeId Outliner::readTensor(std::size_t frame, NodeId flat)
{
    OutlineFrame& reader = m_frames[frame];
    const std::uint32_t number = m_tensorOf[flat.index()];
    const std::string_view path = reader.path.view();
    const InternedString name = m_tensors->nameBelow(path, number);
    if (name.empty())
        return passDown(frame, flat);
    Graph& graph = graphOf(frame);
    const NodeId behind = reader.lastRead ? reader.lastRead : reader.lastInput;
    const Graph::InsertPoint front = graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first());
    const InsertScope scope(graph, behind ? Graph::InsertPoint::after(behind) : front);
    const NodeId node = graph.insert({.op = Op::getAttr,
                                      .target = path.empty() ? name : intern(name.view().substr(path.size() + 1)),
                                      .meta = m_flat.node(flat).meta});
    reader.lastRead = node;
    reader.inputs.set(flat, node);
    note(frame, flat, node, true);
    m_outline.isOutOfOrder = m_outline.isOutOfOrder || (frame > 0 && m_readAt[flat.index()] > reader.openedAt);
    m_outline.reads.push_back({reader.graph, node, number, flat});
    m_readAt[flat.index()] = static_cast<std::uint32_t>(m_outline.reads.size());
    markSunk(frame);
    return node;
}

/// Notes that in torch the calls of a frame and of those above would have had an argument for a tensor.
void Outliner::markSunk(std::size_t frame)
{
    std::vector<char>& isSunk = m_outline.isSunk;
    isSunk.resize(m_outline.objects.graphCount());
    for (std::size_t i = frame + 1; i-- > 0 && isSunk[m_frames[i].graph.index()] == 0;)
        isSunk[m_frames[i].graph.index()] = 1;
}

NodeId Outliner::recompute(std::size_t frame, NodeId flat)
{
    const Node& value = m_flat.node(flat);
    const auto mapped = [&](NodeId input) {
        const NodeId found = remap(frame, input);
        return found ? Argument::node(found) : Argument();
    };
    Arguments args = mapNodes(value.args, mapped);
    Keywords kwargs = mapNodes(value.kwargs, mapped);
    if (failed())
        return {};
    const NodeId node = create(frame,
                               {.op = Op::callFunction,
                                .target = value.target,
                                .fn = value.fn,
                                .args = std::move(args),
                                .kwargs = std::move(kwargs),
                                .meta = value.meta});
    if (m_frames[frame].nodes.set(flat, node))
        m_frames[frame].order.push_back(flat);
    note(frame, flat, node, true);
    return node;
}

NodeId Outliner::readCrossing(std::size_t frame, NodeId flat)
{
    const Node& value = m_flat.node(flat);
    if (value.op != Op::callFunction) {
        stop("the module " + m_frames[frame].path.str() + " with a preserved signature uses " + value.name.str()
                 + ", which is none of its arguments",
             flat, m_frames[frame].path.str());
        return {};
    }
    m_crossingValues.set(flat, flat);
    m_outline.crossings.push_back({flat, m_at, m_frames[frame].path, m_crossingDepth > 0});
    if (m_options.crossing == CrossingValues::attribute && !isInPlace(value))
        return readAttribute(frame, flat);
    if (value.args.empty() || !value.args.front().is(ArgumentKind::node)) {
        giveUp(frame, flat);
        return {};
    }
    ++m_crossingDepth;
    const NodeId node = remap(frame, value.args.front().asNode());
    --m_crossingDepth;
    return node;
}

} // namespace sunder
