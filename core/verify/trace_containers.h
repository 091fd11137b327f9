#pragma once

#include "verify/trace_draft.h"

namespace sunder {

/// Lists, tuples, dicts and slices in a trace, and what Python does to them.
class TraceContainers final {
public:
    explicit TraceContainers(TraceDraft& draft) : m_draft(draft) {}

    ValueId container(TermId shape, std::span<const ValueId> items);
    /// Of a kind of container, with its keys or fields.
    TermId shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys = {});
    /// `value[key]`; nothing where it is not known which item that is.
    std::optional<ValueId> itemOf(const Value& value, const Value& key);
    /// list(), tuple() and dict().
    std::optional<ValueId> pythonContainer(std::string_view name, const TracedCall& call);
    /// Whether a tensor at such an index is a view of it.
    [[nodiscard]] bool isPlainIndex(ValueId key) const;

private:
    std::optional<ValueId> sliceOf(const Value& value, const Value& slice);

    TraceDraft& m_draft;
};

} // namespace sunder
