#include "passes/unflatten/unflatten.h"

#include "passes/unflatten/call_merger.h"
#include "passes/unflatten/child_order.h"
#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/parameter_sinker.h"
#include "passes/unflatten/tensor_groups.h"
#include "passes/unflatten/unflattened_program.h"

#include <algorithm>

// torch.export.unflatten. The flat graph is walked once, and every call of a module gets a graph of its own, to which
// all values, parameters too, are passed as arguments (outliner). Then parameters sink into the modules that hold them,
// equal calls of a module are merged, repeated calls of a preserved module become a dispatcher, and children get the
// order of the module call graph. Modules are objects with shared tables of children meanwhile, as in Python, and are
// written down as a program at the end. torch inserts arguments at the front of lists and prints graphs to compare
// them, which is quadratic; here arguments are collected backwards and each graph is hashed once.

namespace sunder {
namespace {

constexpr std::size_t kMaxDepth = 500; ///< of the module tree: parts of a path

std::size_t depthOf(std::string_view path)
{
    return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
}

Result<void> checkSource(const Program& source)
{
    if (!source.signature)
        return fail(ErrorCode::refused, "there is no export signature: only an exported program can be unflattened");
    for (const OutputSpec& output : source.signature->outputs)
        if (output.kind == OutputKind::loss || output.kind == OutputKind::gradient)
            return fail(ErrorCode::refused,
                        "the program has a backward pass (" + output.target.str()
                            + "): its nodes belong to no module, so it cannot be unflattened",
                        {.other = output.target.str()});
    if (source.calls.empty() || !source.calls.front().fqn.empty())
        return fail(ErrorCode::refused,
                    source.calls.empty() ? std::string("the program has no module call graph")
                                         : "the module call graph begins with " + source.calls.front().fqn.str()
                            + " instead of the whole program");
    if (!source.rootGraph().output())
        return fail(ErrorCode::refused, "the graph has no output node");
    for (const TensorEntry& tensor : source.tensors.entries())
        if (depthOf(tensor.fqn.view()) > kMaxDepth)
            return fail(ErrorCode::refused, "the tensor " + tensor.fqn.str().substr(0, 80) + "… lies more than 500 modules deep");
    for (const ModuleCall& call : source.calls)
        if (depthOf(call.fqn.view()) > kMaxDepth)
            return fail(ErrorCode::refused, "the module " + call.fqn.str().substr(0, 80) + "… lies more than 500 modules deep");
    return {};
}

Result<void> checkStacks(const ModuleStacks& stacks)
{
    if (stacks.maxDepth() > kMaxDepth)
        return fail(ErrorCode::refused, "a module stack has " + std::to_string(stacks.maxDepth()) + " entries; at most 500 are followed");
    return {};
}

} // namespace

Result<UnflattenResult> unflatten(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    if (const Result<void> checked = checkSource(source); !checked)
        return forward(checked);
    UnflattenResult result;
    std::optional<Program> changed;
    const Graph& root = source.rootGraph();
    if (hasEffectTokens(source) || hasMutationOutputs(source) || hasDeadNodes(root) || hasReservedNames(root)) {
        changed = source;
        removeEffectTokens(*changed);
        removeDeadNodes(changed->rootGraph());
        renameReserved(*changed);
        if (const auto copies = writeMutations(*changed, {}); !copies)
            return forward(copies);
    }
    const Program& flat = changed ? *changed : source;
    const ModuleStacks stacks(flat, result.notes);
    if (const Result<void> checked = checkStacks(stacks); !checked)
        return forward(checked);
    Result<CallSignatures> signatures = CallSignatures::read(flat);
    if (!signatures)
        return forward(signatures);
    Result<Outline> outlined = outline(flat, stacks, *signatures, options, monitor);
    if (!outlined)
        return forward(outlined);
    const Result<TensorGroups> tensors = assignTensors(flat, *outlined);
    if (!tensors)
        return forward(tensors);
    sinkParameters(*outlined, *tensors, options.asUpstream);
    const std::vector<std::uint32_t> merged = mergeEqualCalls(*outlined, *signatures, options.asUpstream);
    makeDispatchers(*outlined, *signatures, merged);
    if (const Result<void> ordered = orderChildren(outlined->objects, flat.calls); !ordered)
        return forward(ordered);
    writeProgram(source, flat, *outlined, *tensors, merged, result);
    return result;
}

} // namespace sunder
