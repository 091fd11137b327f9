#pragma once

#include "support/interned_string.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

/// A hash map from non-empty interned strings to small values, without an allocation per entry: for hot loops that
/// would spend their time in std::unordered_map. Entries are never removed. Open addressing, at most 2/3 full, in lines
/// of eight slots: strings that were interned one after the other share a line, so that a loop in that order, as one
/// over a graph is, finds most of them in the processor's cache.
template <typename Value>
class FlatMap {
public:
    void reserve(std::size_t entries)
    {
        if (entries * 3 > m_slots.size() * 2)
            rehash(std::max(kFewest, std::bit_ceil(entries * 3 / 2 + 1)));
    }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool contains(InternedString key) const { return find(key) != nullptr; }
    /// The value of a key; null when there is none. Valid until the next insertion.
    [[nodiscard]] const Value* find(InternedString key) const
    {
        if (m_slots.empty())
            return nullptr;
        const Slot& slot = m_slots[indexOf(key.id())];
        return slot.key == key.id() ? &slot.value : nullptr;
    }

    /// The value of a key, and whether it is new; a new one is `value`. Valid until the next insertion.
    std::pair<Value&, bool> emplace(InternedString key, Value value = {})
    {
        if ((m_size + 1) * 3 > m_slots.size() * 2)
            rehash(std::max(kFewest, m_slots.size() * 2));
        Slot& slot = m_slots[indexOf(key.id())];
        if (slot.key == key.id())
            return {slot.value, false};
        slot = {key.id(), std::move(value)};
        ++m_size;
        return {slot.value, true};
    }

private:
    struct Slot {
        std::uint32_t key = 0; ///< 0, the empty string, marks a free slot
        Value value = {};
    };

    static constexpr std::size_t kLine = 8;
    static constexpr std::size_t kFewest = 2 * kLine;

    /// The slot of a key, or the free one where it belongs. Behind a taken one comes the same place in the next line, so
    /// that what shares a line goes on sharing one; at the end the next place in the first line.
    [[nodiscard]] std::size_t indexOf(std::uint32_t key) const
    {
        const std::uint64_t line = key / kLine * 0x9E3779B97F4A7C15ULL;
        std::size_t at = ((line >> 20U) * kLine + ((line >> 56U) + key) % kLine) & (m_slots.size() - 1);
        while (m_slots[at].key != 0 && m_slots[at].key != key)
            at = at + kLine < m_slots.size() ? at + kLine : (at + 1) % kLine;
        return at;
    }

    void rehash(std::size_t size)
    {
        std::vector<Slot> old(size);
        old.swap(m_slots);
        for (Slot& slot : old)
            if (slot.key != 0)
                m_slots[indexOf(slot.key)] = std::move(slot);
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

} // namespace sunder
