#pragma once

#include "ir/tree_spec.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

#include <unordered_map>

namespace sunder {

/// What modules hold: tensors, graphs, other modules and tree specs, as values of a trace.
class TracedAttributes final {
public:
    explicit TracedAttributes(TraceDraft& draft);

    /// The same value however often it is read.
    ValueId tensor(TensorId id);
    /// What a get_attr node reads.
    ValueId attribute(TraceFrame& frame, NodeId id);
    /// A module by its name in another one; invalid when there is none.
    [[nodiscard]] ModuleId findModule(ModuleId module, InternedString target) const;
    /// The tree spec that a value read before is; null when it is none, or none of Python's own containers.
    [[nodiscard]] const TreeSpec* treeSpec(ValueId value) const;

private:
    TraceDraft& m_draft;
    std::vector<ValueId> m_tensors; ///< by TensorId; invalid until read
    std::unordered_map<std::uint32_t, std::uint32_t> m_storages; ///< region by number of storage
    std::unordered_map<std::uint32_t, std::optional<TreeSpec>> m_specs; ///< by the term of their text
    std::unordered_set<InternedString> m_ambiguous; ///< names that two tensors have
};

} // namespace sunder
