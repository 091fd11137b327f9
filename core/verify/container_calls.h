#pragma once

#include "verify/trace_containers.h"

namespace sunder {

/// Evaluates calls that read or modify lists, tuples, and dicts with known items, with the semantics of Python 3.
class ContainerCalls final {
public:
    ContainerCalls(TraceDraft& draft, TraceContainers& containers) : m_draft(draft), m_containers(containers) {}

    /// Applies the call and returns its result. Returns nothing, and changes nothing, if the call may fail, if the item is
    /// unknown, or if the operand is not a known container. O(items).
    std::optional<ValueId> call(std::string_view target, Op op, const TracedCall& call);
    /// Returns the result of list(), tuple(), or dict(), or nothing in the same cases.
    std::optional<ValueId> make(std::string_view name, const TracedCall& call);

private:
    using Items = std::vector<ValueId>;
    struct Contents {
        ArgumentKind kind = ArgumentKind::none;
        std::vector<TermId> keys; ///< of dicts
        Items items;
    };

    [[nodiscard]] std::optional<Contents> contentsOf(ValueId id) const;
    [[nodiscard]] std::optional<std::int64_t> integerOf(ValueId id) const;
    /// Returns the index of an item; `items.size()` if a dict does not contain the key. Returns nothing if the key is unknown, or
    /// if a sequence has no such item.
    [[nodiscard]] std::optional<std::size_t> placeOf(const Contents& of, ValueId key) const;
    [[nodiscard]] bool hasSimpleKeys(const Contents& dict) const;

    std::optional<ValueId> read(std::string_view name, const Contents& self, std::span<const ValueId> given);
    std::optional<ValueId> changeList(std::string_view name, ValueId id, Contents& list, std::span<const ValueId> given);
    std::optional<ValueId> changeDict(std::string_view name, ValueId id, Contents& dict, const TracedCall& call);
    std::optional<ValueId> take(ValueId id, Contents& from, std::size_t place);
    std::optional<ValueId> repeated(const Contents& of, ValueId times, ValueId into);
    bool update(Contents& dict, ValueId more, const TracedCall& call) const;

    ValueId none();
    ValueId made(const Contents& contents);
    /// Returns `result` if the container now has these `contents`; nothing if it cannot be modified.
    std::optional<ValueId> changed(ValueId id, const Contents& contents, ValueId result);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
};

} // namespace sunder
