#pragma once

#include "support/interned_string.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

/// A hash map from non-empty interned strings to small values, without an allocation per entry, for hot loops in which
/// std::unordered_map is too slow. Entries are never removed. Open addressing, load factor at most 2/3, with lines of eight
/// slots. Consecutively interned strings share a line, so that loops in that order, such as loops over a graph, find most entries
/// in the CPU cache.
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
    /// Returns the value of a key; null if there is none. Valid until the next insertion.
    [[nodiscard]] const Value* find(InternedString key) const
    {
        if (m_slots.empty())
            return nullptr;
        const Slot& slot = m_slots[indexOf(key.id())];
        return slot.key == key.id() ? &slot.value : nullptr;
    }

    /// Inserts `value` if the key is new. Returns the value of the key, and whether it is new. Valid until the next insertion.
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
        std::uint32_t key = 0; ///< 0, the id of the empty string, marks a free slot
        Value value = {};
    };

    static constexpr std::size_t kLine = 8;
    static constexpr std::size_t kFewest = 2 * kLine;

    /// Returns the slot of a key, or the free slot for it. Probes the same position of the following lines, so that entries of a
    /// line stay together; after the last line, the next position of the first line.
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

/// A set of non-empty interned strings, one bit each. Consecutively interned strings share a word, so that a set of the names in
/// a graph needs about one byte per name, and a loop in graph order finds the words in the CPU cache. An isolated string needs
/// about 30 bytes. Entries are never removed.
class InternedSet {
public:
    /// Reserves space for this number of strings with similar ids.
    void reserve(std::size_t strings) { m_words.reserve(strings / (kBits / 4)); }

    [[nodiscard]] bool contains(InternedString string) const
    {
        const std::uint64_t* word = m_words.find(wordOf(string));
        return word != nullptr && (*word & bitOf(string)) != 0;
    }

    /// Inserts a string. Returns true if it is new.
    bool insert(InternedString string)
    {
        std::uint64_t& word = m_words.emplace(wordOf(string)).first;
        const bool isNew = (word & bitOf(string)) == 0;
        word |= bitOf(string);
        return isNew;
    }

private:
    static constexpr std::uint32_t kBits = 64;

    /// Words are indexed by non-empty interned strings with the matching id.
    static InternedString wordOf(InternedString string) { return InternedString::ofId(string.id() / kBits + 1); }
    static std::uint64_t bitOf(InternedString string) { return std::uint64_t{1} << string.id() % kBits; }

    FlatMap<std::uint64_t> m_words;
};

} // namespace sunder
