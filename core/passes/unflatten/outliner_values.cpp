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
    static constexpr std::array<std::string_view, 6> kCheap = {
        "torch.ops.aten.sym_size.int",   "torch.ops.aten.item.default", "torch.ops.aten.unbind.int",
        "torch.ops.aten.sum.dim_IntList", "torch.ops.aten.view.default", "torch.ops.aten.diff.default"};
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
    if (m_flat.node(flat).op == Op::placeholder || !m_frames[frame].closed)
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
        placeholder = graph.create({.op = Op::placeholder, .target = value.name, .type = value.type, .meta = value.meta});
    }
    m_frames[frame].inputs.set(flat, placeholder);
    note(frame, flat, placeholder, true);
    const InsertScope scope(graphOf(frame - 1), Graph::InsertPoint::before(m_frames[frame].callNode));
    if (const NodeId argument = remap(frame - 1, flat); argument)
        m_frames[frame].late.push_back(Argument::node(argument));
    return placeholder;
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
    const NodeId node = graphOf(frame).create({.op = Op::callFunction,
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
