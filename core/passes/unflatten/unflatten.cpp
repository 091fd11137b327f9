#include "passes/unflatten/unflatten.h"

#include "ir/program.h"
#include "passes/unflatten/call_merger.h"
#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/tensor_sinking.h"
#include "passes/unflatten/unflatten_plan.h"
#include "passes/unflatten/unflattened_program.h"
#include "passes/verify_result.h"
#include "support/format.h"

#include <algorithm>
#include <vector>

// torch.export.unflatten. A plan decides what every module reads, writes, and returns. Then the flat graph is visited once: every
// module call gets its own graph and takes all values, including parameters, as arguments (Outliner). Parameters sink into the
// modules that contain them, equal calls of a module are merged, repeated calls of a preserved module become a dispatcher,
// and children are sorted as in the module call graph. During the pass, modules are objects with shared tables of children, as in
// Python; they are finally written as a program. torch inserts arguments at the front of lists and prints graphs to compare them,
// which is quadratic. Here arguments are collected in reverse, and each graph is hashed once.

namespace sunder {
namespace {

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
