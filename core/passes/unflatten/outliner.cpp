#include "passes/unflatten/module_places.h"
#include "passes/unflatten/open_calls.h"
#include "passes/unflatten/outline.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::size_t kUsuallyMore = 5; ///< usual number of additional nodes in a graph: inputs, reads, output

/// Operators whose result is a list of tensors. A .pt2 file does not record this, and PyTorch's loader treats it as a tuple; the
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

/// Walks the flat graph once with a stack of frames; see outline(). A frame is closed where the plan says; its call then returns
/// the values that later nodes use. All nodes before the current one have been copied, so comparing with the position of the last
/// user tells whether a value is used outside.
class Outliner final {
public:
    Outliner(const UnflattenPlan& plan, const UnflattenOptions& options)
        : m_plan(plan), m_draft(plan.program(), plan.stacks.callCount()), m_crossings(m_draft, options),
          m_values(m_draft, m_crossings, options.crossing), m_preserved(m_draft, m_values), m_places(m_draft, options.asUpstream),
          m_calls(m_draft, plan.signatures, m_places, m_preserved), m_carried(m_draft)
    {
    }

    Result<Outline> run(ProgressMonitor& monitor);

private:
    void apply(const CallChange& change);
    [[nodiscard]] std::size_t runLength(NodeId id) const;
    void copyNode(NodeId id);

    const UnflattenPlan& m_plan;
    OutlineDraft m_draft;
    CrossingReads m_crossings;
    FrameValues m_values;
    PreservedCalls m_preserved;
    ModulePlaces m_places;
    OpenCalls m_calls;
    CarriedGraphs m_carried;
};

Result<Outline> Outliner::run(ProgressMonitor& monitor)
{
    auto change = m_plan.changes.begin();
    for (const NodeId id : m_draft.flat.nodes()) {
        const Node& node = m_draft.flat.node(id);
        m_draft.at = m_draft.uses.positions[id.index()];
        if (m_draft.at % 4096 == 0) {
            SUNDER_PROPAGATE(monitor.check());
            monitor.report(static_cast<double>(m_draft.at) / static_cast<double>(m_draft.flat.size()), node.name.view());
        }
        if (change != m_plan.changes.end() && change->node == id)
            apply(*change++);
        if (!m_draft.failed())
            copyNode(id);
        if (m_draft.failed())
            return tl::unexpected<Error>(*m_draft.error);
    }
    m_crossings.write();
    m_carried.add();
    return std::move(m_draft.outline);
}

void Outliner::apply(const CallChange& change)
{
    while (m_draft.frames.size() > change.kept && !m_draft.failed())
        m_calls.close();
    if (!change.opened)
        return;
    const std::span<const ModuleStacks::CallId> calls = m_plan.stacks.of(change.opened);
    for (std::size_t i = m_draft.frames.size(); i < calls.size() && !m_draft.failed(); ++i)
        m_calls.open(m_plan.stacks.call(calls[i]), m_plan.stacks.keys(change.opened)[i]);
    if (!m_draft.failed() && m_draft.graphOf(m_draft.top()).empty())
        m_draft.graphOf(m_draft.top()).reserve(runLength(change.node) + kUsuallyMore);
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

} // namespace

Result<Outline> outline(const UnflattenPlan& plan, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    return Outliner(plan, options).run(monitor);
}

} // namespace sunder
