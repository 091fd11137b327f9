#pragma once

#include "verify/operator_calls.h"
#include "verify/traced_attributes.h"

namespace sunder {

/// Traces pytree operations: tree_flatten_spec and tree_unflatten, for specs of built-in containers.
class TraceTrees final {
public:
    TraceTrees(const CallParts& parts, TracedAttributes& attributes, OperatorCalls& operators)
        : m_draft(parts.draft), m_containers(parts.containers), m_attributes(attributes), m_operators(operators)
    {
    }

    /// Returns the list of leaves; nothing if value and spec do not match, or if the spec is unknown.
    std::optional<ValueId> flatten(TraceFrame& frame, NodeId id, const TracedCall& call);
    std::optional<ValueId> unflatten(const TracedCall& call);

private:
    bool flattenInto(TraceFrame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves);
    std::optional<ValueId> buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next);
    TermId itemKey(const TreeSpec& spec, std::size_t index);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    TracedAttributes& m_attributes;
    OperatorCalls& m_operators;
};

} // namespace sunder
