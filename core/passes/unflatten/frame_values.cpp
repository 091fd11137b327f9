#include "passes/unflatten/frame_values.h"

#include "passes/unflatten/flat_graph.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::uint32_t kMaxDepth = 2000; ///< recursion depth of values that request others

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

NodeId FrameValues::of(std::size_t frame, NodeId flat)
{
    if (m_draft.failed())
        return {};
    if (const NodeId node = m_draft.frames[frame].nodes.find(flat); node)
        return node;
    if (const NodeId node = m_draft.frames[frame].inputs.find(flat); node)
        return node;
    if (m_depth == kMaxDepth) {
        m_draft.stop("more than " + std::to_string(kMaxDepth) + " values would have to be recomputed for "
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
    if (m_tensors.isTensor(flat)) {
        const NodeId read = m_tensors.read(frame, flat);
        return read ? read : passDown(frame, flat);
    }
    const Node& value = m_draft.flat.node(flat);
    if (value.op == Op::placeholder || !m_draft.frames[frame].closed)
        return passDown(frame, flat);
    return isRecomputed(value) ? recompute(frame, flat) : readCrossing(frame, flat);
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
    if (!m_draft.frames[frame].lastInput)
        m_draft.frames[frame].lastInput = placeholder;
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

NodeId FrameValues::readCrossing(std::size_t frame, NodeId flat)
{
    const CrossingReads::Source source = m_crossings.read(frame, flat, m_crossingDepth > 0);
    if (!source.holder)
        return source.node;
    ++m_crossingDepth;
    const NodeId node = of(frame, source.holder);
    --m_crossingDepth;
    return node;
}

} // namespace sunder
