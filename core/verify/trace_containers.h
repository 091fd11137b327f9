#pragma once

#include "verify/trace_draft.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// Lists, tuples, dicts and slices in a trace. A container is an object: `Trace::values` has its contents as of now, and what is
/// kept for later is a snapshot.
class TraceContainers final {
public:
    explicit TraceContainers(TraceDraft& draft) : m_draft(draft) {}

    ValueId container(TermId shape, std::span<const ValueId> items);
    /// Of a kind of container, with its keys or fields.
    TermId shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys = {});
    /// `value[key]`; nothing where it is not known which item that is.
    std::optional<ValueId> itemOf(const Value& value, const Value& key);
    /// Whether `value[key]` fails: a list or tuple is shorter, or a dict has no such text or integer and no other kinds of keys.
    [[nodiscard]] bool lacksItem(const Value& value, const Value& key) const;
    /// Lists, tuples, and named tuples.
    [[nodiscard]] static bool isSequence(ArgumentKind kind);
    /// Whether a key of a dict is a text or an integer. Keys of other types may be equal to a number: `True == 1.0`.
    [[nodiscard]] bool isSimpleKey(TermId key) const;
    /// The place of an item that an index of Python names; nothing if there is none.
    [[nodiscard]] static std::optional<std::size_t> placeIn(std::size_t count, std::int64_t index);
    /// The place that a bound of a slice means: at most `count`.
    [[nodiscard]] static std::int64_t boundIn(std::size_t count, std::int64_t index);
    /// Gives a container other contents, for all that hold it. False, and nothing is changed, if others may hold it of which
    /// nothing is known, or if that would let it hold itself.
    bool change(ValueId id, TermId shape, std::span<const ValueId> items);
    /// A copy of the current contents, which later changes do not reach. The value itself if neither program changes containers.
    ValueId snapshot(ValueId id);
    /// Something of which nothing is known may hold the container, and all in it, from now on.
    void handOut(ValueId id);
    /// Whether a tensor at such an index is a view of it.
    [[nodiscard]] bool isPlainIndex(ValueId key) const;

private:
    std::optional<ValueId> sliceOf(const Value& value, const Value& slice);

    Value valueOf(TermId shape, std::span<const ValueId> items, std::uint16_t depth);

    TraceDraft& m_draft;
    std::unordered_set<ValueId> m_held; ///< containers in containers
    std::unordered_set<ValueId> m_handedOut;
    std::unordered_map<ValueId, ValueId> m_snapshots; ///< since the last change
};

} // namespace sunder
