#pragma once

#include "support/flat_map.h"

#include <cstdint>

namespace sunder {

/// A set of non-empty interned strings, a bit each: strings that were interned one after the other share a word, so a
/// set of the names in a graph takes about a byte a name, and a loop in graph order finds the words in the processor's
/// cache. A string far from all others takes some 30 bytes. Nothing is ever removed.
class InternedSet {
public:
    /// Makes room for so many strings that lie close together.
    void reserve(std::size_t strings) { m_words.reserve(strings / (kBits / 4)); }

    [[nodiscard]] bool contains(InternedString string) const
    {
        const std::uint64_t* word = m_words.find(wordOf(string));
        return word != nullptr && (*word & bitOf(string)) != 0;
    }

    /// True when it is new.
    bool insert(InternedString string)
    {
        std::uint64_t& word = m_words.emplace(wordOf(string)).first;
        const bool isNew = (word & bitOf(string)) == 0;
        word |= bitOf(string);
        return isNew;
    }

private:
    static constexpr std::uint32_t kBits = 64;

    /// Words are found as if they were strings, none of them empty.
    static InternedString wordOf(InternedString string) { return InternedString::ofId(string.id() / kBits + 1); }
    static std::uint64_t bitOf(InternedString string) { return std::uint64_t{1} << string.id() % kBits; }

    FlatMap<std::uint64_t> m_words;
};

} // namespace sunder
