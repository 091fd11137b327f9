#include "passes/unflatten/unflatten.h"

#include "ir/program.h"
#include "passes/unflatten/call_merger.h"
#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/unflatten_plan.h"
#include "passes/unflatten/unflattened_program.h"
#include "support/format.h"
#include "verify/verify.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

// torch.export.unflatten. A plan decides what every module reads, writes, and returns. Then the flat graph is visited once: every
// module call gets its own graph and takes all values, including parameters, as arguments (Outliner). Parameters sink into the
// modules that contain them, equal calls of a module are merged, repeated calls of a preserved module become a dispatcher,
// and children are sorted as in the module call graph. During the pass, modules are objects with shared tables of children, as in
// Python; they are finally written as a program. torch inserts arguments at the front of lists and prints graphs to compare them,
// which is quadratic. Here arguments are collected in reverse, and each graph is hashed once.

namespace sunder {
namespace {

class Sinker {
public:
    Sinker(Outline& outline, const FlatTensors& tensors, bool asUpstream)
        : m_outline(outline), m_tensors(tensors), m_asUpstream(asUpstream), m_callsOf(outline.objects.size()),
          m_removed(outline.objects.size())
    {
        outline.isSunk.resize(outline.objects.graphCount());
        outline.sunk.resize(outline.objects.graphCount());
        for (std::size_t i = 0; i < outline.calls.size(); ++i)
            m_callsOf[outline.calls[i].parent.index()].push_back(static_cast<std::uint32_t>(i));
    }

    /// Visits children before parents; a module at several paths is processed at the first path found.
    void run()
    {
        m_outline.objects.walk([this](ObjectId object, std::string_view path) {
            m_scope = path;
            if (m_outline.objects[object].kind == ModuleObject::Kind::interpreter)
                sink(object);
        });
    }

private:
    /// Inputs that a module no longer has.
    struct Removed {
        bool any = false;
        std::vector<bool> positions;
        std::unordered_set<InternedString> names; ///< PyTorch finds them by name
    };

    void sink(ObjectId id)
    {
        Graph& graph = m_outline.objects.graphOf(id);
        if (graph.empty())
            return;
        std::vector<NodeId> inputs;
        for (const NodeId node : graph.nodes())
            if (graph.node(node).op == Op::placeholder)
                inputs.push_back(node);
        dropArguments(id, graph);
        const std::size_t own = m_asUpstream ? 0 : m_outline.objects[id].ownInputs;
        Removed& removed = m_removed[id.index()];
        removed.positions.resize(inputs.size());
        for (std::size_t i = 0; i + own < inputs.size(); ++i) {
            const InternedString name = nameInScope(graph.node(inputs[i]), id == ModuleObjects::root());
            if (name.empty())
                continue;
            removed.positions[i] = true;
            m_outline.isSunk[m_outline.objects[id].graph.index()] = 1;
            if (m_asUpstream)
                removed.names.insert(graph.node(inputs[i]).name);
            removed.any = true;
            replace(m_outline.objects[id].graph, inputs[i], inputs.back(), name);
        }
    }

    /// Returns the name of the placeholder's tensor in the module or its descendants; empty if there is none.
    InternedString nameInScope(const Node& node, bool isRoot) const
    {
        const std::uint32_t* number = m_tensors.numberOf(node.name);
        if (number == nullptr || (!m_asUpstream && !isRoot && node.name != node.target))
            return {};
        return m_tensors.nameBelow(m_scope, *number);
    }

    void replace(ObjectGraphId graphId, NodeId input, NodeId last, InternedString name)
    {
        Graph& graph = m_outline.objects.graph(graphId);
        if (graph.node(input).userCount() > 0) {
            const std::string_view path = name.view().substr(m_scope.empty() ? 0 : m_scope.size() + 1);
            const InsertScope scope(graph, Graph::InsertPoint::after(last));
            const NodeId read = m_outline.create(graphId,
                                                 {.op = Op::getAttr, .target = intern(path), .meta = graph.node(input).meta});
            graph.replaceAllUses(input, read);
            m_outline.sunk[graphId.index()].set(input, read);
            m_outline.reads.push_back({graphId, read, *m_tensors.numberOf(graph.node(input).name)});
        }
        (void)graph.erase(input);
    }

    void dropArguments(ObjectId id, Graph& graph)
    {
        for (const std::uint32_t call : m_callsOf[id.index()]) {
            const CallRecord& record = m_outline.calls[call];
            ObjectId callee = record.object;
            if (m_asUpstream)
                callee = m_outline.objects.find(id, graph.node(record.node).target.view());
            if (!callee || !m_removed[callee.index()].any)
                continue;
            const Removed& removed = m_removed[callee.index()];
            const Node& node = graph.node(record.node);
            Arguments kept;
            for (std::size_t i = 0; i < node.args.size(); ++i) {
                const bool gone = m_asUpstream
                    ? node.args[i].is(ArgumentKind::node) && removed.names.contains(graph.node(node.args[i].asNode()).name)
                    : i < removed.positions.size() && removed.positions[i];
                if (!gone)
                    kept.push_back(node.args[i]);
            }
            if (kept.size() < node.args.size())
                m_outline.isSunk[m_outline.objects[id].graph.index()] = 1;
            Keywords kwargs = node.kwargs;
            graph.setArguments(record.node, std::move(kept), std::move(kwargs));
        }
    }

    Outline& m_outline;
    const FlatTensors& m_tensors;
    bool m_asUpstream;
    std::vector<std::vector<std::uint32_t>> m_callsOf; ///< per object: calls in its graph
    std::vector<Removed> m_removed; ///< per object
    std::string_view m_scope; ///< path of the current module, without call indices
};

/// Replaces placeholders for parameters, buffers and constants by get_attr nodes in the module that contains the tensor, or in
/// its ancestors; calls no longer pass them. Modules are processed depth first, so that each tensor sinks as deep as possible.
/// Tensors outside the module remain arguments. Records replacements in `outline.sunk`. Linear.
void sinkParameters(Outline& outline, const FlatTensors& tensors, bool asUpstream)
{
    Sinker(outline, tensors, asUpstream).run();
}

std::size_t depthOf(std::string_view path)
{
    return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
}

Result<void> checkSource(const Program& source)
{
    if (!source.signature)
        return fail(ErrorCode::refused, "the program has no export signature; only an exported program can be unflattened");
    for (const OutputSpec& output : source.signature->outputs)
        if (output.kind == OutputKind::loss || output.kind == OutputKind::gradient)
            return fail(ErrorCode::refused,
                        "joint forward-backward programs have no module stacks; unflatten the forward program instead",
                        {.other = output.target.str()});
    if (source.calls.empty() || !source.calls.front().fqn.empty())
        return fail(ErrorCode::refused,
                    source.calls.empty() ? std::string("the program has no module call graph")
                                         : "the module call graph starts with " + source.calls.front().fqn.str()
                            + " instead of the whole program");
    if (!source.rootGraph().output())
        return fail(ErrorCode::refused, "the graph has no output node");
    for (const TensorEntry& tensor : source.tensors.entries())
        if (depthOf(tensor.fqn.view()) > kMaxModuleDepth)
            return fail(ErrorCode::refused,
                        "tensor " + tensor.fqn.str().substr(0, 80) + "… is nested more than 500 modules deep");
    for (const ModuleCall& call : source.calls)
        if (depthOf(call.fqn.view()) > kMaxModuleDepth)
            return fail(ErrorCode::refused, "module " + call.fqn.str().substr(0, 80) + "… is nested more than 500 modules deep");
    return {};
}

/// A tensor is lost if the merged calls do not all contain it; torch detects this in the root graph.
Result<void> checkReads(const Program& source, const Program& result)
{
    const Graph& root = result.rootGraph();
    for (const NodeId id : root.nodes()) {
        const Node& node = root.node(id);
        if (node.op == Op::getAttr && source.tensors.find(node.target).isValid() && !result.tensorAt(node.target).isValid())
            return fail(ErrorCode::refused,
                        node.name.str() + " reads " + node.target.str()
                            + ", which no module has after the calls of a shared module are merged; name the module only once in "
                              "the model, or export it with strict=False",
                        {.node = node.name.str(), .other = node.target.str()});
    }
    return {};
}

/// "4 dead ops were dropped, because nothing uses their results: a, b, c and 1 more"
Diagnostic droppedNote(const std::vector<InternedString>& dropped)
{
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, dropped.size()); ++i)
        names += (i == 0 ? "" : ", ") + dropped[i].str();
    if (dropped.size() > kNamed)
        names += " and " + formatCount(dropped.size() - kNamed) + " more";
    return {Severity::note,
            formatCount(dropped.size(), "dead op")
                + (dropped.size() == 1 ? " was dropped, because nothing uses its result: "
                                       : " were dropped, because nothing uses their results: ")
                + names,
            {.node = dropped.front().str()}};
}

Result<UnflattenResult> cut(const Program& source, const UnflattenPlan& plan, const UnflattenOptions& options,
                            ProgressMonitor& monitor)
{
    const Program& flat = plan.program();
    UnflattenResult result{.program = {}, .map = {}, .notes = plan.notes};
    SUNDER_TRY(Outline outlined, outline(plan, options, monitor));
    if (const InternedString name = outlined.objects.cycle(); !name.empty())
        return fail(ErrorCode::refused, "according to the keys of module stacks, module " + name.str() + " contains itself",
                    {.other = name.str()});
    SUNDER_PROPAGATE(monitor.check());
    SUNDER_TRY(const FlatTensors tensors, FlatTensors::of(flat, options.asUpstream));
    const TensorGroups groups = assignTensors(flat, tensors, outlined);
    sinkParameters(outlined, tensors, options.asUpstream);
    SUNDER_PROPAGATE(monitor.check());
    const std::vector<std::uint32_t> merged = mergeEqualCalls(outlined, plan.signatures, options.asUpstream);
    SUNDER_PROPAGATE(monitor.check());
    makeDispatchers(outlined, plan.signatures, merged);
    orderChildren(outlined.objects, flat.calls);
    SUNDER_PROPAGATE(monitor.check());
    if (!plan.flat->dropped.empty())
        result.notes.push_back(droppedNote(plan.flat->dropped));
    SUNDER_PROPAGATE(writeProgram(source, flat, plan.flat->replaced, outlined, groups, merged, result, monitor));
    SUNDER_PROPAGATE(checkReads(source, result.program));
    return result;
}

} // namespace

Result<UnflattenResult> unflatten(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(checkSource(source));
    SUNDER_TRY(const UnflattenPlans plans, planUnflattening(source, options, monitor));
    if (plans.stale) {
        Result<UnflattenResult> result = cut(source, *plans.stale, options, monitor);
        SUNDER_PROPAGATE(monitor.check());
        if (result) {
            SUNDER_TRY(const VerifyReport report, verifyResult(source, result->program, monitor));
            if (report.verdict == Verdict::same)
                return result;
        }
    }
    return cut(source, plans.plan, options, monitor);
}

} // namespace sunder
