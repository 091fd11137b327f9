#include "passes/unflatten/unflatten.h"

#include "ir/program.h"
#include "operators/operator_library.h"
#include "passes/unflatten/call_merger.h"
#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/mutation_order.h"
#include "passes/unflatten/outline.h"
#include "passes/unflatten/shared_memory.h"
#include "passes/unflatten/tensor_sinking.h"
#include "passes/unflatten/unflattened_program.h"
#include "passes/verify_result.h"
#include "support/format.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// torch.export.unflatten. The flat graph is visited once. Every module call gets its own graph, to which all values, including
// parameters, are passed as arguments (Outliner). Parameters then sink into the modules that contain them, equal calls of a
// module are merged, repeated calls of a preserved module become a dispatcher, and children are sorted as in the module call
// graph. During the pass, modules are objects with shared tables of children, as in Python; they are finally written as a
// program. torch inserts arguments at the front of lists and prints graphs to compare them, which is quadratic. Here arguments
// are collected in reverse, and each graph is hashed once.

namespace sunder {
namespace {

constexpr std::size_t kMaxModuleDepth = 500; ///< limit of path components in the module tree

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

/// PyTorch's error for a node without a module stack. Loading an exported program adds an empty stack if the file has none.
std::string errorOfTorch(const Program& flat, const Node& node)
{
    const StackId stack = flat.statedStack(node);
    const bool isLoaded = flat.origin.format == "pt2" || flat.origin.format == "exported-program json";
    return stack || isLoaded ? "ValueError: not enough values to unpack (expected at least 1, got 0)"
                             : "RuntimeError: Unable to find nn_module_stack for node " + node.name.str();
}

/// A node without a module stack belongs to the root. It is refused if it reads a tensor of a module without nodes, since the
/// stacks of that module are lost. torch refuses all such nodes.
Result<void> checkStackless(const Program& flat, const ModuleStacks& stacks, const UnflattenOptions& options)
{
    std::unordered_map<InternedString, InternedString> tensorOf; // placeholder → name
    for (const NodeId id : flat.rootGraph().nodes()) {
        const Node& node = flat.rootGraph()[id];
        const StackId stack = node.meta.modules;
        if (node.op == Op::placeholder || node.op == Op::output || (stack && !stacks.of(stack).empty()))
            continue;
        if (options.asUpstream)
            return fail(ErrorCode::refused,
                        node.name.str() + " has no nn_module_stack. PyTorch fails here with \"" + errorOfTorch(flat, node)
                            + "\"; without --as-upstream the node belongs to the root",
                        {.node = node.name.str()});
        if (tensorOf.empty())
            for (const InputSpec& input : flat.signature->inputs)
                if (isLifted(input.kind))
                    tensorOf.emplace(input.name, input.target);
        if (isHigherOrderTarget(node.target.view())) // its graphs may contain all nodes of a module
            continue;
        for (const NodeId read : flat.rootGraph().inputs(id)) {
            const auto tensor = tensorOf.find(flat.rootGraph()[read].name);
            const std::string_view name = tensor != tensorOf.end() ? tensor->second.view() : std::string_view();
            const std::string_view module = name.substr(0, std::min(name.rfind('.'), name.size()));
            if (module.size() == name.size() || stacks.isCalled(intern(module)))
                continue;
            return fail(ErrorCode::refused,
                        node.name.str() + " has no nn_module_stack, and reads " + std::string(name) + " of the module "
                            + std::string(module) + ", which no other node belongs to. PyTorch fails here with \""
                            + errorOfTorch(flat, node) + "\". Set node.meta[\"nn_module_stack\"] before saving the program",
                        {.node = node.name.str(), .other = std::string(module)});
        }
    }
    return {};
}

Result<void> checkStacks(const Program& flat, const ModuleStacks& stacks, const UnflattenOptions& options)
{
    if (stacks.maxDepth() > kMaxModuleDepth)
        return fail(ErrorCode::refused, "a module stack has " + std::to_string(stacks.maxDepth()) + " entries; the limit is 500");
    return checkStackless(flat, stacks, options);
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

/// The flat graph as torch prepares it before it considers modules.
struct FlatProgram {
    std::optional<Program> changed;
    std::vector<MutationCopy> copies;
    std::vector<ReplacedNode> replaced;
    std::vector<InternedString> dropped; ///< names of dead ops
};

Result<FlatProgram> flatten(const Program& source, std::span<const NodeId> late, const UnflattenOptions& options)
{
    FlatProgram flat;
    if (isFlat(source, options))
        return flat;
    flat.changed = source;
    flat.replaced = removeEffectTokens(*flat.changed);
    if (!options.asUpstream)
        putInputsFirst(flat.changed->rootGraph());
    flat.dropped = removeDeadNodes(*flat.changed, options.asUpstream);
    renameReserved(*flat.changed);
    SUNDER_TRY(std::vector<MutationCopy> copies, writeMutations(*flat.changed, late, options));
    flat.copies = std::move(copies);
    return flat;
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

/// Splits a program; retries without the signatures that make a value inaccessible.
class Unflattening {
public:
    Unflattening(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
        : m_source(source), m_options(options), m_monitor(monitor)
    {
    }

    Result<UnflattenResult> run()
    {
        for (std::size_t attempt = 0;; ++attempt) {
            m_giveUpAll = m_giveUpAll || attempt == kAttempts;
            const bool isLast = m_giveUpAll;
            SUNDER_TRY(const bool cut, tryCut());
            if (cut)
                break;
            if (isLast)
                return fail(ErrorCode::refused, "values enter modules in ways that no call signature describes");
        }
        return m_proven ? std::move(*m_proven) : finish();
    }

private:
    static constexpr std::size_t kAttempts = 8;
    [[nodiscard]] const Program& flat() const { return m_flat.changed ? *m_flat.changed : m_source; }

    /// Returns false if another attempt is needed.
    Result<bool> tryCut()
    {
        m_result = {};
        SUNDER_TRY(FlatProgram flattened, flatten(m_source, m_late, m_options));
        m_flat = std::move(flattened);
        SUNDER_PROPAGATE(m_monitor.check());
        SUNDER_TRY(const ModuleStacks stacks, ModuleStacks::read(flat(), m_result.notes, m_monitor));
        SUNDER_PROPAGATE(m_monitor.check());
        SUNDER_PROPAGATE(checkStacks(flat(), stacks, m_options));
        SUNDER_PROPAGATE(m_monitor.check());
        SUNDER_TRY(CallSignatures signatures, m_giveUpAll ? CallSignatures() : CallSignatures::read(flat()));
        if (!m_options.asUpstream)
            noteMisfits(signatures);
        signatures.giveUp(m_givenUp);
        m_signatures = std::move(signatures);
        SUNDER_PROPAGATE(m_monitor.check());
        m_keys.emplace(flat().tensors);
        SUNDER_PROPAGATE(m_monitor.check());
        m_names = TensorNames::of(flat(), *m_keys);
        SUNDER_TRY(Outline outlined, outline(flat(), stacks, m_signatures, m_options, m_monitor));
        m_outline = std::move(outlined);
        if (const InternedString name = m_outline.objects.cycle(); !name.empty())
            return fail(ErrorCode::refused, "according to the keys of module stacks, module " + name.str() + " contains itself",
                        {.other = name.str()});
        if (m_outline.unreachable) {
            if (!giveUp(stacks, m_outline.unreachable->value, m_outline.unreachable->readers))
                giveUpAll(m_outline.unreachable->value);
            return false;
        }
        return m_options.asUpstream ? Result<bool>(true) : areMutationsRight(stacks);
    }

    void noteMisfits(const CallSignatures& signatures)
    {
        for (const InternedString path : signatures.misfits()) {
            if (!m_givenUp.insert(path).second)
                continue;
            m_notes.push_back({Severity::warning,
                               "the call signature of " + path.str() + " is not kept: it does not name all of its values",
                               {.other = path.str()}});
        }
    }

    Result<bool> areMutationsRight(const ModuleStacks& stacks)
    {
        if (m_flat.copies.empty() && m_outline.crossings.empty())
            return true;
        const bool inBuffers = m_options.crossing == CrossingValues::buffer;
        const MutationFaults faults = checkMutations(flat(), stacks, m_flat.copies, m_outline, inBuffers);
        if (!faults.read.empty() && !m_isTorchsTried) {
            m_isTorchsTried = true; // finish() consumes the outline
            return isTorchsProven();
        }
        bool right = true;
        for (const CrossingRead& read : faults.read)
            right = !giveUp(stacks, read.value, {read.reader}) && right;
        if (!faults.read.empty() && right && !m_giveUpAll) {
            giveUpAll(faults.read.front().value);
            right = false;
        }
        for (const NodeId target : faults.late) {
            if (std::find(m_late.begin(), m_late.end(), target) != m_late.end())
                continue;
            m_late.push_back(target);
            right = false;
        }
        return right;
    }

    /// Returns whether torch's result is equivalent although a buffer does not hold a value that is read from it. This is the
    /// case if the value has no effect on the result.
    Result<bool> isTorchsProven()
    {
        Result<UnflattenResult> result = finish();
        if (!result && result.error().code == ErrorCode::cancelled)
            SUNDER_PROPAGATE(std::move(result));
        if (!result)
            return false;
        SUNDER_TRY(const VerifyReport report, verifyResult(m_source, result->program, m_monitor));
        if (report.verdict != Verdict::same)
            return false;
        m_proven = std::move(*result);
        return true;
    }

    /// Drops all signatures if the one that causes the problem is unknown.
    void giveUpAll(NodeId value)
    {
        const InternedString name = flat().rootGraph().node(value).name;
        m_giveUpAll = true;
        m_notes.push_back({Severity::warning,
                           "no call signature is kept: " + name.str() + " crosses modules without being an argument or a result",
                           {.node = name.str()}});
    }

    /// Drops the signatures of modules that read a value and of those that produce it. Returns false if all were dropped before.
    bool giveUp(const ModuleStacks& stacks, NodeId value, const std::vector<InternedString>& readers)
    {
        const std::size_t before = m_givenUp.size();
        const auto add = [&](InternedString path) {
            if (m_signatures.find(path) == nullptr || !m_givenUp.insert(path).second)
                return;
            const InternedString name = flat().rootGraph().node(value).name;
            m_notes.push_back({Severity::warning,
                               "the call signature of " + path.str() + " is not kept: " + name.str()
                                   + " crosses it without being an argument or a result",
                               {.node = name.str(), .other = path.str()}});
        };
        for (const InternedString path : readers)
            add(path);
        if (const StackId stack = flat().rootGraph().node(value).meta.modules; stack)
            for (const ModuleStacks::CallId call : stacks.of(stack))
                add(stacks.call(call).path);
        return m_givenUp.size() > before;
    }

    Result<UnflattenResult> finish()
    {
        SUNDER_PROPAGATE(m_names);
        SUNDER_PROPAGATE(m_monitor.check());
        const std::vector<char> written = m_options.asUpstream ? std::vector<char>(flat().tensors.storageCount())
                                                               : writtenStorages(flat());
        SUNDER_PROPAGATE(m_monitor.check());
        const TensorGroups tensors = assignTensors(flat(), *m_keys, written, m_outline);
        sinkParameters(m_outline, *m_names, m_options.asUpstream);
        SUNDER_PROPAGATE(m_monitor.check());
        const std::vector<std::uint32_t> merged = mergeEqualCalls(m_outline, m_signatures, m_options.asUpstream);
        SUNDER_PROPAGATE(m_monitor.check());
        makeDispatchers(m_outline, m_signatures, merged);
        orderChildren(m_outline.objects, flat().calls);
        SUNDER_PROPAGATE(m_monitor.check());
        m_result.notes.insert(m_result.notes.end(), m_notes.begin(), m_notes.end());
        if (!m_flat.dropped.empty())
            m_result.notes.push_back(droppedNote(m_flat.dropped));
        SUNDER_PROPAGATE(writeProgram(m_source, flat(), m_flat.replaced, m_outline, tensors, merged, m_result, m_monitor));
        SUNDER_PROPAGATE(checkReads(m_source, m_result.program));
        return std::move(m_result);
    }

    const Program& m_source;
    const UnflattenOptions& m_options;
    ProgressMonitor& m_monitor;
    FlatProgram m_flat;
    CallSignatures m_signatures;
    std::optional<TensorKeys> m_keys;
    Result<TensorNames> m_names;
    Outline m_outline;
    UnflattenResult m_result;
    std::vector<NodeId> m_late; ///< placeholders whose mutation is written just before the output
    std::unordered_set<InternedString> m_givenUp; ///< paths of modules whose signature is dropped
    Diagnostics m_notes; ///< notes about dropped signatures
    std::optional<UnflattenResult> m_proven; ///< torch's result, if it was verified
    bool m_isTorchsTried = false;
    bool m_giveUpAll = false;
};

} // namespace

Result<UnflattenResult> unflatten(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(checkSource(source));
    return Unflattening(source, options, monitor).run();
}

} // namespace sunder
