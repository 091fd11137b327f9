#pragma once

#include "ir/tree_spec.h"
#include "operators/operator_facts.h"
#include "verify/trace_containers.h"
#include "verify/trace_draft.h"

#include <unordered_map>

namespace sunder {

/// Rewrites calls to one canonical form before they are compared. A call of an operator with a schema gets all arguments of the
/// schema, with the schema's defaults for omitted ones: positional arguments in order, keyword-only arguments sorted by name.
/// Other calls only get their keywords sorted.
class CallCanonicalizer final {
public:
    CallCanonicalizer(TraceDraft& draft, TraceContainers& containers) : m_draft(draft), m_containers(containers) {}

    /// Canonicalizes a call. O(arguments · log arguments).
    void spell(TracedCall& call, const OperatorFacts& facts);
    /// Sorts the keywords of a call without a schema.
    static void sortKeywords(TracedCall& call);

private:
    /// Precomputed facts about a schema.
    struct Form {
        std::vector<ValueId> defaults; ///< by argument; invalid if required
        std::vector<std::uint16_t> named; ///< keyword-only arguments, sorted by name
        std::size_t positional = 0;
    };

    const Form& formOf(const OperatorSchema& schema);
    ValueId valueOf(const Argument& literal);
    [[nodiscard]] bool isSame(ValueId given, ValueId other) const;
    bool place(const TracedCall& call, const OperatorSchema& schema, const Form& form);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    std::unordered_map<const OperatorSchema*, Form> m_forms; ///< schemas have stable addresses
    std::vector<ValueId> m_places; ///< of the current call, by argument of its schema
};

/// Provides the attributes of modules (tensors, graphs, other modules, and tree specs) as values of a trace.
class TracedAttributes final {
public:
    explicit TracedAttributes(TraceDraft& draft);

    /// Returns the value of a tensor, always the same one.
    ValueId tensor(TensorId id);
    /// Returns the value of a get_attr node.
    ValueId attribute(TraceFrame& frame, NodeId id);
    /// Returns the submodule of `module` with this name; invalid if there is none.
    [[nodiscard]] ModuleId findModule(ModuleId module, InternedString target) const;
    /// Returns the tree spec of an attribute value; null if it is not a tree spec, or not one of built-in containers.
    [[nodiscard]] const TreeSpec* treeSpec(ValueId value) const;

private:
    TraceDraft& m_draft;
    std::vector<ValueId> m_tensors; ///< by TensorId; invalid until read
    std::unordered_map<std::uint32_t, std::uint32_t> m_storages; ///< region by number of storage
    std::unordered_map<std::uint32_t, std::optional<TreeSpec>> m_specs; ///< by the term of their text
    std::unordered_set<InternedString> m_ambiguous; ///< names shared by two tensors
};

/// Converts arguments of nodes to values of a trace.
class TracedArguments final {
public:
    TracedArguments(TraceDraft& draft, TraceContainers& containers, TracedAttributes& attributes, CallCanonicalizer& spelling)
        : m_draft(draft), m_containers(containers), m_attributes(attributes), m_spelling(spelling)
    {
    }

    ValueId valueOf(TraceFrame& frame, const Argument& argument);
    /// Converts the arguments of a node that calls a module, with sorted keywords.
    TracedCall ofModule(TraceFrame& frame, const Node& node);
    /// Converts the arguments of a node that calls the function of `facts`, in canonical form.
    TracedCall ofFunction(TraceFrame& frame, const Node& node, const OperatorFacts& facts);

private:
    ValueId containerOf(TraceFrame& frame, const Argument& argument);
    TracedCall asWritten(TraceFrame& frame, const Node& node);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    TracedAttributes& m_attributes;
    CallCanonicalizer& m_spelling;
};

} // namespace sunder
