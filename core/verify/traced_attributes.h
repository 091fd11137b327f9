#pragma once

#include "ir/tree_spec.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

#include <unordered_map>

namespace sunder {

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

} // namespace sunder
