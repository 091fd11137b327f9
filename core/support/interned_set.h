#pragma once

#include "support/flat_map.h"

#include <cstdint>

namespace sunder {

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
