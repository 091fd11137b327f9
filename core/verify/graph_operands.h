#pragma once

#include "verify/traced_regions.h"

namespace sunder {

/// Inlines graphs at their calls.
class GraphCaller {
public:
    virtual ~GraphCaller() = default;
    /// Returns the result of a graph. `described`: descriptions of its values in the file may hold for this call.
    virtual ValueId runGraph(GraphId graph, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth,
                             bool described) = 0;
    /// Returns the result of a node that calls a graph.
    virtual ValueId callGraph(TraceFrame& frame, NodeId id, GraphId graph, ModuleId module, const TracedCall& call) = 0;
};

/// Traces calls that take graphs as operands: those that run a graph once, in place, and those that take closures and run them
/// any number of times.
class GraphOperands final {
public:
    GraphOperands(const CallParts& parts, OperatorCalls& operators, TracedRegions& regions, GraphCaller& caller)
        : m_draft(parts.draft), m_descriptions(parts.descriptions), m_memory(parts.memory), m_operators(operators),
          m_regions(regions), m_caller(caller)
    {
    }

    /// Traces invoke_subgraph, strict_mode, and the like.
    ValueId invoke(TraceFrame& frame, NodeId id, const TracedCall& call);
    /// Traces a graph in an autocast or grad mode region.
    ValueId region(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    ValueId closures(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);

private:
    void closureBody(TraceFrame& frame, const Value& graph, std::span<const ValueId> operands, bool described);

    TraceDraft& m_draft;
    FileDescriptions& m_descriptions;
    TraceMemory& m_memory;
    OperatorCalls& m_operators;
    TracedRegions& m_regions;
    GraphCaller& m_caller;
};

} // namespace sunder
