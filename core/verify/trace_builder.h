#pragma once

#include "verify/container_calls.h"
#include "verify/effect_calls.h"
#include "verify/graph_operands.h"
#include "verify/leaf_module_calls.h"
#include "verify/progress_ticker.h"
#include "verify/trace_trees.h"
#include "verify/traced_arguments.h"

namespace sunder {

/// Traces a program as one linear sequence of calls: walks its graphs and passes each node to the handler for its kind of call.
/// Linear in the nodes and arguments of all graphs, multiplied by the number of calls of each graph.
class TraceBuilder final : private GraphCaller {
public:
    /// `pulse` advances once per node; once it is cancelled, the rest of the program is skipped.
    TraceBuilder(const Program& program, Side side, TraceContext& context, ProgressTicker& pulse);
    /// Builds the trace. Call once.
    Trace build();

private:
    // GraphCaller
    ValueId runGraph(GraphId graph, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth, bool described) override;
    ValueId callGraph(TraceFrame& frame, NodeId id, GraphId graph, ModuleId module, const TracedCall& call) override;

    [[nodiscard]] CallParts parts() { return {m_draft, m_containers, m_descriptions, m_memory, m_writes, m_steps, m_spelling}; }
    void run();
    void runNode(TraceFrame& frame, NodeId id, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId placeholder(TraceFrame& frame, const Node& node, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId defaultValue(TraceFrame& frame, const Argument& argument);
    ValueId callModule(TraceFrame& frame, NodeId id);
    ValueId callFunction(TraceFrame& frame, NodeId id);

    ProgressTicker& m_pulse;
    TraceDraft m_draft;
    TraceContainers m_containers{m_draft};
    ContainerCalls m_containerCalls{m_draft, m_containers};
    FileDescriptions m_descriptions{m_draft};
    TraceMemory m_memory{m_draft};
    CallWrites m_writes{m_draft};
    StepWriter m_steps{m_draft, m_containers, m_descriptions};
    TracedAttributes m_attributes{m_draft};
    CallCanonicalizer m_spelling{m_draft, m_containers};
    TracedArguments m_arguments{m_draft, m_containers, m_attributes, m_spelling};
    OperatorCalls m_operators{parts()};
    EffectCalls m_effects{parts(), m_operators};
    LeafModuleCalls m_modules{parts(), m_attributes};
    TraceTrees m_trees{parts(), m_attributes, m_operators};
    TracedRegions m_regions{parts(), m_operators};
    GraphOperands m_graphs{parts(), m_operators, m_regions, *this};
    std::unordered_map<ModuleId, std::uint32_t> m_calls; ///< number of calls of each dispatcher so far
    std::vector<TermId> m_calledUnder; ///< by GraphId: the state at the first call; invalid before it
};

} // namespace sunder
