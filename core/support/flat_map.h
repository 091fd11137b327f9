#pragma once

#include "support/interned_string.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

/// A hash map from non-empty interned strings to small values, without an allocation per entry: for hot loops that
/// would spend their time in std::unordered_map. Entries are never removed. Linear probing, at most 3/4 full.
template <typename Value>
class FlatMap {
public:
    void reserve(std::size_t entries)
    {
        if (entries * 4 > m_slots.size() * 3)
            rehash(std::bit_ceil(entries * 4 / 3 + 1));
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
        if ((m_size + 1) * 4 > m_slots.size() * 3)
            rehash(std::max<std::size_t>(16, m_slots.size() * 2));
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

    [[nodiscard]] std::size_t indexOf(std::uint32_t key) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = (key * 0x9E3779B97F4A7C15ULL >> 20U) & mask;
        while (m_slots[at].key != 0 && m_slots[at].key != key)
            at = (at + 1) & mask;
        return at;
    }

    void rehash(std::size_t size)
    {
        std::vector<Slot> old(std::bit_ceil(size));
        old.swap(m_slots);
        for (Slot& slot : old)
            if (slot.key != 0)
                m_slots[indexOf(slot.key)] = std::move(slot);
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

} // namespace sunder
