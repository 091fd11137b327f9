#include "passes/unflatten/unflatten_plan.h"

#include "operators/operator_library.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/mutation_order.h"
#include "passes/unflatten/side_reads.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// PyTorch's error for a node without a module stack. Loading an exported program adds an empty stack if the file has none.
std::string errorOfTorch(const Program& flat, const Node& node)
{
    const StackId stack = flat.statedStack(node);
    const bool isLoaded = flat.origin.format == "pt2" || flat.origin.format == "exported-program json";
    return stack || isLoaded ? "ValueError: not enough values to unpack (expected at least 1, got 0)"
                             : "RuntimeError: Unable to find nn_module_stack for node " + node.name.str();
}

/// A node without a module stack belongs to the root. It is refused if it reads a tensor of a module without nodes, since the
/// stacks of that module are lost. PyTorch refuses all such nodes.
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

Result<FlatProgram> flatten(const Program& source, std::span<const NodeId> late, const UnflattenOptions& options)
{
    FlatProgram flat{source};
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

class UnflattenPlanner {
public:
    UnflattenPlanner(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
        : m_source(source), m_options(options), m_monitor(monitor)
    {
    }

    Result<UnflattenPlans> run()
    {
        SUNDER_PROPAGATE(prepare());
        if (!m_options.asUpstream)
            dropMisfits();
        for (bool isSettled = false; !isSettled;) {
            SUNDER_PROPAGATE(m_monitor.check());
            const SideReads reads = m_signatures.empty() ? SideReads() : findSideReads();
            dropForUnreachable(reads.unreachable);
            if (!reads.unreachable.empty())
                continue;
            SUNDER_TRY(const bool isChanged, mendMutations(reads));
            isSettled = !isChanged;
        }
        return UnflattenPlans{plan(), std::move(m_stale)};
    }

private:
    [[nodiscard]] const Program& flat() const { return m_flat->program(); }

    /// Flattens the program with the late mutations known so far.
    Result<void> prepare()
    {
        SUNDER_TRY(FlatProgram flattened, flatten(m_source, m_late, m_options));
        m_flat = std::make_shared<const FlatProgram>(std::move(flattened));
        SUNDER_PROPAGATE(m_monitor.check());
        m_stackNotes.clear();
        SUNDER_TRY(ModuleStacks stacks, ModuleStacks::read(flat(), m_stackNotes, m_monitor));
        m_stacks = std::move(stacks);
        SUNDER_PROPAGATE(checkStacks(flat(), *m_stacks, m_options));
        SUNDER_TRY(m_signatures, CallSignatures::read(flat()));
        m_signatures.drop(m_dropped);
        SUNDER_TRY(m_changes, callChanges(flat().rootGraph(), *m_stacks));
        return {};
    }

    [[nodiscard]] UnflattenPlan plan() const
    {
        Diagnostics notes = m_stackNotes;
        notes.insert(notes.end(), m_notes.begin(), m_notes.end());
        return {m_flat, *m_stacks, m_changes, m_signatures, std::move(notes)};
    }

    [[nodiscard]] SideReads findSideReads() const
    {
        return sideReads(flat().rootGraph(), *m_stacks, m_changes, m_signatures, m_source.calls.front().hasSignature,
                         m_options.crossing);
    }

    void dropMisfits()
    {
        for (const InternedString path : m_signatures.misfits())
            if (m_dropped.insert(path).second)
                m_notes.push_back({Severity::warning,
                                   "the call signature of " + path.str() + " is not kept: it does not name all of its values",
                                   {.other = path.str()}});
        m_signatures.drop(m_dropped);
    }

    void dropForUnreachable(const std::vector<UnreachableValue>& values)
    {
        for (const UnreachableValue& value : values)
            if (!drop(value.value, value.readers) && &value == &values.front())
                return dropAll(value.value);
        m_signatures.drop(m_dropped);
    }

    /// Returns whether the plan was changed.
    Result<bool> mendMutations(const SideReads& reads)
    {
        if (m_options.asUpstream || reads.isRefused || (m_flat->copies.empty() && reads.crossings.empty()))
            return false;
        const MutationFaults faults = checkMutations(flat(), *m_stacks, m_flat->copies, reads.crossings,
                                                     m_options.crossing == CrossingValues::buffer);
        if (!faults.read.empty()) {
            if (!m_stale)
                m_stale = plan();
            bool isDropped = false;
            for (const CrossingRead& read : faults.read)
                isDropped = drop(read.value, {read.reader}) || isDropped;
            if (isDropped)
                m_signatures.drop(m_dropped);
            else
                dropAll(faults.read.front().value);
        }
        const std::size_t late = m_late.size();
        for (const NodeId target : faults.late)
            if (std::ranges::find(m_late, target) == m_late.end())
                m_late.push_back(target);
        if (m_late.size() > late)
            SUNDER_PROPAGATE(prepare());
        return m_late.size() > late || !faults.read.empty();
    }

    /// Drops all signatures, if the one that causes the problem is unknown.
    void dropAll(NodeId value)
    {
        const InternedString name = flat().rootGraph().node(value).name;
        for (const ModuleCall& call : flat().calls)
            m_dropped.insert(intern(withoutCall(call.fqn.view())));
        m_signatures = {};
        m_notes.push_back({Severity::warning,
                           "no call signature is kept: " + name.str() + " crosses modules without being an argument or a result",
                           {.node = name.str()}});
    }

    /// Drops the signatures of modules that read a value and of those that produce it. Returns false if all were dropped before.
    bool drop(NodeId value, const std::vector<InternedString>& readers)
    {
        const std::size_t before = m_dropped.size();
        const InternedString name = flat().rootGraph().node(value).name;
        const auto add = [&](InternedString path) {
            if (m_signatures.find(path) != nullptr && m_dropped.insert(path).second)
                m_notes.push_back({Severity::warning,
                                   "the call signature of " + path.str() + " is not kept: " + name.str()
                                       + " crosses it without being an argument or a result",
                                   {.node = name.str(), .other = path.str()}});
        };
        std::ranges::for_each(readers, add);
        if (const StackId stack = flat().rootGraph().node(value).meta.modules; stack)
            for (const ModuleStacks::CallId call : m_stacks->of(stack))
                add(m_stacks->call(call).path);
        return m_dropped.size() > before;
    }

    const Program& m_source;
    const UnflattenOptions& m_options;
    ProgressMonitor& m_monitor;
    std::shared_ptr<const FlatProgram> m_flat;
    std::optional<ModuleStacks> m_stacks;
    std::vector<CallChange> m_changes;
    CallSignatures m_signatures;
    std::vector<NodeId> m_late; ///< placeholders whose mutation is written just before the output
    std::unordered_set<InternedString> m_dropped; ///< paths of modules whose signature is dropped
    Diagnostics m_stackNotes;
    Diagnostics m_notes;
    std::optional<UnflattenPlan> m_stale;
};

} // namespace

Result<UnflattenPlans> planUnflattening(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    return UnflattenPlanner(source, options, monitor).run();
}

} // namespace sunder
