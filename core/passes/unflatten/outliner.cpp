#include "passes/unflatten/outliner.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::size_t kUsuallyMore = 5; ///< usual number of additional nodes in a graph: inputs, reads, output

/// Operators whose result is a list of tensors. A .pt2 file does not record this, and torch's loader treats it as a tuple; the
/// getitem nodes know their values.
bool returnsList(const Node& node)
{
    static constexpr std::array<std::string_view, 18> kNames = {"atleast_1d",   "atleast_2d",
                                                                "atleast_3d",   "broadcast_tensors",
                                                                "chunk",        "dsplit",
                                                                "hsplit",       "meshgrid",
                                                                "split",        "split_with_sizes",
                                                                "split_copy",   "tensor_split",
                                                                "unbind",       "split_with_sizes_copy",
                                                                "unbind_copy",  "unsafe_chunk",
                                                                "unsafe_split", "vsplit"};
    constexpr std::string_view kAten = "torch.ops.aten.";
    std::string_view target = node.target.view();
    if (!target.starts_with(kAten))
        return false;
    target = target.substr(kAten.size(), target.find('.', kAten.size()) - kAten.size());
    return std::find(kNames.begin(), kNames.end(), target) != kNames.end();
}

} // namespace

Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const UnflattenOptions& options, ProgressMonitor& monitor)
{
    return Outliner(flat, stacks, signatures, options).run(monitor);
}

Outliner::Outliner(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                   const UnflattenOptions& options)
    : m_stacks(stacks), m_draft(flat, stacks.callCount()), m_crossings(m_draft, options), m_values(m_draft, m_crossings), m_preserved(m_draft, m_values), m_places(m_draft, options.asUpstream),
      m_calls(m_draft, signatures, m_places, m_preserved), m_carried(m_draft)
{
    m_stack.push_back(ModuleStacks::rootCall());
}

Result<Outline> Outliner::run(ProgressMonitor& monitor)
{
    NodeId id = m_draft.flat.first();
    for (; id && m_draft.flat.node(id).op == Op::placeholder; id = m_draft.flat.next(id))
        copyNode(id);
    for (; id && m_draft.flat.node(id).op != Op::output && !m_draft.failed(); id = m_draft.flat.next(id)) {
        m_draft.at = m_draft.positions[id.index()];
        if (m_draft.at % 4096 == 0) {
            SUNDER_PROPAGATE(monitor.check());
            monitor.report(static_cast<double>(m_draft.at) / static_cast<double>(m_draft.flat.size()),
                           m_draft.flat.node(id).name.view());
        }
        step(id);
    }
    if (id)
        m_draft.at = m_draft.positions[id.index()];
    while (m_draft.frames.size() > 1 && !m_draft.failed())
        close();
    for (; id && !m_draft.failed(); id = m_draft.flat.next(id))
        if (m_draft.flat.node(id).op == Op::output)
            copyNode(id);
    if (!m_draft.failed()) {
        m_crossings.write();
        m_carried.add();
    }
    if (m_draft.error)
        return tl::unexpected<Error>(*m_draft.error);
    return std::move(m_draft.outline);
}

void Outliner::step(NodeId id)
{
    const Node& node = m_draft.flat.node(id);
    if (node.op == Op::placeholder)
        return m_draft.stop("placeholder " + node.name.str() + " comes after a call", id);
    const StackId stack = node.meta.modules;
    if (stack && stack == m_atStack)
        return copyNode(id);
    if (stack && m_stacks.isAnywhere(stack))
        return copyNode(id);
    if (m_stacks.ofNode(node).empty())
        returnToCommon(id);
    else
        follow(stack, id);
    if (!m_draft.failed())
        copyNode(id);
}

/// Closes and opens calls until the open calls are those of the node's stack.
void Outliner::follow(StackId stack, NodeId id)
{
    const std::span<const ModuleStacks::CallId> wanted = m_stacks.of(stack);
    std::size_t common = 0;
    while (common < std::min(wanted.size(), m_stack.size()) && wanted[common] == m_stack[common])
        ++common;
    if (common == 0)
        return m_draft.stop("the nn_module_stack of " + m_draft.flat.node(id).name.str() + " does not start with the root module",
                            id);
    while (m_draft.frames.size() > common && !m_draft.failed())
        close();
    while (m_draft.frames.size() < wanted.size() && !m_draft.failed()) {
        const std::size_t depth = m_draft.frames.size();
        m_calls.open(m_stacks.call(wanted[depth]), m_stacks.keys(stack)[depth]);
        m_stack.push_back(wanted[depth]);
    }
    if (!m_draft.failed() && m_draft.graphOf(m_draft.frames.size() - 1).empty())
        m_draft.graphOf(m_draft.frames.size() - 1).reserve(runLength(id) + kUsuallyMore);
    m_atStack = stack;
}

/// Closes the calls that end before a node without a stack: those that do not contain the next node with a stack.
void Outliner::returnToCommon(NodeId id)
{
    if (m_draft.positions[id.index()] >= m_lookedUpTo) {
        m_nextStacked = id;
        do
            m_nextStacked = m_draft.flat.next(m_nextStacked);
        while (m_nextStacked && m_stacks.ofNode(m_draft.flat.node(m_nextStacked)).empty());
        m_lookedUpTo = m_nextStacked ? m_draft.positions[m_nextStacked.index()] : static_cast<std::uint32_t>(m_draft.flat.size());
    }
    const std::span<const ModuleStacks::CallId> next = m_nextStacked ? m_stacks.ofNode(m_draft.flat.node(m_nextStacked))
                                                                     : std::span<const ModuleStacks::CallId>();
    std::size_t common = 1;
    while (common < std::min(next.size(), m_stack.size()) && next[common] == m_stack[common])
        ++common;
    while (m_draft.frames.size() > common && !m_draft.failed())
        close();
}

/// Returns the number of consecutive nodes with the same stack, starting at `id`.
std::size_t Outliner::runLength(NodeId id) const
{
    std::size_t length = 1;
    for (NodeId at = m_draft.flat.next(id); at && m_draft.flat.node(at).meta.modules == m_draft.flat.node(id).meta.modules;
         at = m_draft.flat.next(at))
        ++length;
    return length;
}

void Outliner::copyNode(NodeId id)
{
    const Node& node = m_draft.flat.node(id);
    if (node.op == Op::getAttr)
        m_carried.noteRead(m_draft.frames.back().object, node.target);
    const std::size_t top = m_draft.frames.size() - 1;
    Arguments args = m_values.in(top, node.args);
    Keywords kwargs = m_values.in(top, node.kwargs);
    if (m_draft.failed())
        return;
    Graph& graph = m_draft.graphOf(top);
    OutlineFrame& frame = m_draft.frames[top];
    const bool isOutput = node.op == Op::output; // the only name created in every graph
    const NodeId copy = graph.insert({.op = node.op,
                                      .name = isOutput ? m_draft.outline.names.create(frame.graph, graph, node.name)
                                                       : m_draft.outline.names.keep(frame.graph, graph, node.name),
                                      .target = node.target,
                                      .fn = node.fn,
                                      .args = std::move(args),
                                      .kwargs = std::move(kwargs),
                                      .type = node.type,
                                      .meta = node.meta});
    if (m_draft.program.origin.format != "fx-json" && node.meta.val && node.meta.val->is(ArgumentKind::tuple)
        && returnsList(node))
        graph.meta(copy).val.reset();
    frame.hasCustom = frame.hasCustom || !node.meta.json.empty();
    m_draft.noteValue(top, id, copy, false);
}

void Outliner::close()
{
    m_calls.close();
    if (m_draft.failed())
        return;
    m_stack.pop_back();
    m_atStack = {};
}

} // namespace sunder
