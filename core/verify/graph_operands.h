#pragma once

#include "verify/traced_regions.h"

namespace sunder {

/// Writes graphs out where they are called.
class GraphCaller {
public:
    virtual ~GraphCaller() = default;
    /// The result of a graph. `described`: what the file says of its values may hold for this call.
    virtual ValueId runGraph(GraphId graph, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth,
                             bool described) = 0;
    /// The same of a node that calls it.
    virtual ValueId callGraph(TraceFrame& frame, NodeId id, GraphId graph, ModuleId module, const TracedCall& call) = 0;
};

/// Calls that are given graphs: those that run one in place, and closures, which run theirs as often as they like.
class GraphOperands final {
public:
    GraphOperands(const CallParts& parts, OperatorCalls& operators, TracedRegions& regions, GraphCaller& caller)
        : m_draft(parts.draft), m_descriptions(parts.descriptions), m_memory(parts.memory), m_operators(operators),
          m_regions(regions), m_caller(caller)
    {
    }

    /// invoke_subgraph, strict_mode and the like.
    ValueId invoke(TraceFrame& frame, NodeId id, const TracedCall& call);
    /// A graph in a region of autocast or grad mode.
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
