#pragma once

#include "operators/known_call_facts.h"
#include "operators/module_facts.h"
#include "support/progress_monitor.h"
#include "verify/container_calls.h"
#include "verify/step_writer.h"
#include "verify/trace_memory.h"
#include "verify/traced_arguments.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace sunder {

/// Traces a program as one linear sequence of calls: walks its graphs and records each node as the kind of call that it is.
/// Linear in the nodes and arguments of all graphs, multiplied by the number of calls of each graph.
class TraceBuilder final {
public:
    /// `progress` counts nodes.
    TraceBuilder(const Program& program, Side side, TraceContext& context, StepMonitor& progress);
    /// Builds the trace. Call once. Fails with ErrorCode::cancelled.
    Result<Trace> build();

private:
    /// The state to restore when leaving a region.
    struct Entered {
        InternedString field;
        TermId before;
        TermId gradModeBefore;
        bool gradient = false;
    };

    // Graphs: trace_builder.cpp
    Result<void> run();
    /// Returns the result of a graph. `described`: descriptions of its values in the file may hold for this call.
    Result<ValueId> runGraph(GraphId graph, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth, bool described);
    Result<void> runNode(TraceFrame& frame, NodeId id, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId placeholder(TraceFrame& frame, const Node& node, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId defaultValue(TraceFrame& frame, const Argument& argument);
    Result<ValueId> callModule(TraceFrame& frame, NodeId id);
    Result<ValueId> callFunction(TraceFrame& frame, NodeId id);
    /// Returns the result of a node that calls a graph.
    Result<ValueId> callGraph(TraceFrame& frame, NodeId id, GraphId graph, ModuleId module, const TracedCall& call);

    // Pytrees of built-in containers: trace_builder.cpp. They return nothing if value and spec do not match, or if the spec is
    // unknown.
    std::optional<ValueId> flatten(TraceFrame& frame, NodeId id, const TracedCall& call);
    std::optional<ValueId> unflatten(const TracedCall& call);
    bool flattenInto(TraceFrame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves);
    std::optional<ValueId> buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next);
    TermId itemKey(const TreeSpec& spec, std::size_t index);

    // Calls of operators, functions, and methods, with their reads, writes, and results: trace_calls.cpp
    /// Records a call as a step and returns its result. Records nothing if the result is already known.
    ValueId primitive(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call, TermId target);
    /// Returns the facts about a call with these arguments.
    [[nodiscard]] CallFacts factsOf(const OperatorFacts& facts, const TracedCall& call);
    [[nodiscard]] CallRole roleOf(const Node& node, const OperatorFacts& facts, const TracedCall& call) const;
    /// Whether a call queries an attribute that depends on more than the contents of a tensor.
    [[nodiscard]] bool queriesHistory(const Node& node, const TracedCall& call) const;
    [[nodiscard]] TermId sizeOfInput(const Node& node, const TracedCall& call) const;
    /// Whether a call reads an item or a property of a value that may be a mutable container.
    [[nodiscard]] bool mayAskContainer(const TraceFrame& frame, const Node& node, CallRole role, const TracedCall& call) const;
    /// Whether an argument may be a number, a list, or an array, which tensor functions reject.
    [[nodiscard]] bool mayBeNoTensor(const TraceFrame& frame, const Node& node, std::size_t slot) const;
    void describeStep(TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                      const TracedCall& call, Step& step);
    void aliasResult(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                     const TracedCall& call, const Step& step);
    /// Returns the token and the results of the operator that a node calls through with_effects.
    ValueId withEffects(TraceFrame& frame, NodeId id, const TracedCall& call);
    ValueId effectResults(TraceFrame& frame, NodeId id, ValueId token, ValueId result);

    // Calls of leaf modules: trace_calls.cpp. Each is one step that takes the tensors of the module as additional arguments.
    ValueId leafModule(TraceFrame& frame, NodeId id, ModuleId module, const TracedCall& call);
    ModuleCallFacts moduleFacts(const TraceFrame& frame, const Node& node, ModuleId module, const TracedCall& call);
    [[nodiscard]] TermId moduleTarget(ModuleId module);
    void noteModule(const Module& module, const ModuleCallFacts& does);

    // Calls that change global state (autocast, grad mode, default dtype, …), for a region or permanently: trace_regions.cpp
    /// Enters a region and returns the context needed to leave it.
    ValueId enterRegion(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    void leaveRegion(TraceFrame& frame, NodeId id, const TracedCall& call);
    void setState(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// Traces a call that changes settings that are not distinguished from each other.
    ValueId stir(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// Traces a call that computes gradients. It may access every tensor that autograd recorded, so it takes everything that
    /// exists so far.
    ValueId backward(TraceFrame& frame, NodeId id, const OperatorFacts& facts, TracedCall call);
    /// Whether PyTorch may reject the settings of a region or field, so that the program fails.
    [[nodiscard]] bool mayBeRefused(const TracedCall& call, InternedString field) const;
    /// Records a call that PyTorch may reject as an assertion: two programs are equal only if both make it.
    void checkSettings(TraceFrame& frame, NodeId id, const TracedCall& call, InternedString field);
    TermId constantArguments(const TracedCall& call, std::size_t first, bool& complete);
    [[nodiscard]] InternedString autocastField(ValueId device) const;
    TermId autocastSetting(TermId settings, ValueId dtype, InternedString field);

    // Calls that take graphs as operands: trace_regions.cpp
    /// Traces invoke_subgraph, strict_mode, and the like.
    Result<ValueId> invoke(TraceFrame& frame, NodeId id, const TracedCall& call);
    /// Traces a graph in an autocast or grad mode region.
    Result<ValueId> region(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// Applies the settings of such a region, given by the first `settings` arguments. Returns false and changes nothing if these
    /// are computed. The caller restores the state.
    bool enterCalled(CallRole role, const TracedCall& call, std::size_t settings);
    /// Traces a call that takes closures and runs them any number of times.
    Result<ValueId> closures(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    Result<void> closureBody(TraceFrame& frame, const Value& graph, std::span<const ValueId> operands, bool described);
    /// Whether a node calls torch.cond, which returns the result of one of its graphs.
    [[nodiscard]] static bool isCond(const Node& node);

    StepMonitor& m_progress;
    TraceDraft m_draft;
    TraceContainers m_containers{m_draft};
    ContainerCalls m_containerCalls{m_draft, m_containers};
    FileDescriptions m_descriptions{m_draft};
    TraceMemory m_memory{m_draft};
    StepWriter m_steps{m_draft, m_containers, m_descriptions};
    TracedAttributes m_attributes{m_draft};
    CallCanonicalizer m_spelling{m_draft, m_containers};
    TracedArguments m_arguments{m_draft, m_containers, m_attributes, m_spelling};
    KnownCallFacts m_known;
    ModuleFacts m_leaves{m_draft.program};
    std::vector<Entered> m_entered;
    std::unordered_map<ModuleId, std::uint32_t> m_calls; ///< number of calls of each dispatcher so far
    std::vector<TermId> m_calledUnder; ///< by GraphId: the state at the first call; invalid before it
};

} // namespace sunder
