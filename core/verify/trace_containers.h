#pragma once

#include "verify/trace_draft.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// Lists, tuples, dicts, and slices in a trace. Containers are mutable objects: `Trace::values` has their current contents, and
/// later uses need a snapshot.
class TraceContainers final {
public:
    explicit TraceContainers(TraceDraft& draft) : m_draft(draft) {}

    ValueId container(TermId shape, std::span<const ValueId> items);
    /// Returns the shape term of a container kind with these keys or fields.
    TermId shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys = {});
    /// Returns `value[key]`; nothing if it is unknown which item that is.
    std::optional<ValueId> itemOf(const Value& value, const Value& key);
    /// Whether `value[key]` fails: a list or tuple is too short, or a dict without other kinds of keys lacks this text or
    /// integer.
    [[nodiscard]] bool lacksItem(const Value& value, const Value& key) const;
    /// Whether the kind is a list, tuple, or named tuple.
    [[nodiscard]] static bool isSequence(ArgumentKind kind);
    /// Whether a key of a dict is a text or an integer. Keys of other types may equal a number: `True == 1.0`.
    [[nodiscard]] bool isSimpleKey(TermId key) const;
    /// Returns the position of a Python index, which may be negative; nothing if it is out of range.
    [[nodiscard]] static std::optional<std::size_t> placeIn(std::size_t count, std::int64_t index);
    /// Returns the position of a slice bound, clamped to [0, `count`].
    [[nodiscard]] static std::int64_t boundIn(std::size_t count, std::int64_t index);
    /// Replaces the contents of a container, visible through all references. Returns false and changes nothing if unknown code
    /// may hold a reference, or if the container would contain itself.
    bool change(ValueId id, TermId shape, std::span<const ValueId> items);
    /// Returns a copy of the current contents that later changes do not affect. Returns the value itself if neither program
    /// modifies containers.
    ValueId snapshot(ValueId id);
    /// Marks the container and its items as accessible to unknown code from now on.
    void handOut(ValueId id);
    /// Whether indexing a tensor with this key gives a view.
    [[nodiscard]] bool isPlainIndex(ValueId key) const;

private:
    std::optional<ValueId> sliceOf(const Value& value, const Value& slice);

    Value valueOf(TermId shape, std::span<const ValueId> items, std::uint16_t depth);

    TraceDraft& m_draft;
    std::unordered_set<ValueId> m_held; ///< containers inside containers
    std::unordered_set<ValueId> m_handedOut;
    std::unordered_map<ValueId, ValueId> m_snapshots; ///< valid until the next change
};

} // namespace sunder
