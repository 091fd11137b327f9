#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace sunder::fuzz {

/// A small, fast random number generator with the same sequence on every machine (splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    /// Returns a number in 0 … count - 1; count > 0.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
    /// Returns a number from `from` to `to`, both included.
    int between(int from, int to) { return from + static_cast<int>(below(static_cast<std::size_t>(to - from + 1))); }
    bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
    /// Returns an element of a vector or array.
    template <typename Container>
    const auto& of(const Container& from)
    {
        return from[below(std::size(from))];
    }
    const char* word(std::initializer_list<const char*> words) { return words.begin()[below(words.size())]; }

private:
    std::uint64_t m_state;
};

} // namespace sunder::fuzz
