#pragma once

#include "verify/trace_containers.h"

namespace sunder {

/// Calls that read or change lists, tuples, and dicts with known items. They behave as in Python 3.
class ContainerCalls final {
public:
    ContainerCalls(TraceDraft& draft, TraceContainers& containers) : m_draft(draft), m_containers(containers) {}

    /// Applies the call and returns its result. Returns nothing, and changes nothing, if the call may fail, if the item that it
    /// names is not known, or if it is no call of a known container. O(items).
    std::optional<ValueId> call(std::string_view target, Op op, const TracedCall& call);
    /// The result of list(), tuple(), or dict(); nothing in the same cases.
    std::optional<ValueId> make(std::string_view name, const TracedCall& call);

private:
    using Items = std::vector<ValueId>;
    struct Contents {
        ArgumentKind kind = ArgumentKind::none;
        std::vector<TermId> keys; ///< of a dict
        Items items;
    };

    [[nodiscard]] std::optional<Contents> contentsOf(ValueId id) const;
    [[nodiscard]] std::optional<std::int64_t> integerOf(ValueId id) const;
    /// The place of an item; `items.size()` if a dict has no such key. Nothing if it is not known, or if a sequence has no such item.
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
    /// `result` if the container now holds `contents`; nothing if it cannot be changed.
    std::optional<ValueId> changed(ValueId id, const Contents& contents, ValueId result);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
};

} // namespace sunder
