#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder {

/// A set of dense indices with ascending iteration in O(bound / 64 + members).
class IndexBits {
public:
    explicit IndexBits(std::size_t bound = 0) : m_words((bound + 63) / 64, 0) {}

    void put(std::uint32_t index, bool isIn)
    {
        std::uint64_t& word = m_words[index / 64];
        const std::uint64_t bit = std::uint64_t{1} << index % 64;
        if (isIn)
            word |= bit;
        else
            word &= ~bit;
    }
    [[nodiscard]] bool isEmpty() const
    {
        for (const std::uint64_t word : m_words)
            if (word != 0)
                return false;
        return true;
    }
    template <typename Visit>
    void forEach(const Visit& visit) const
    {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            for (std::uint64_t word = m_words[i]; word != 0; word &= word - 1)
                visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }

private:
    std::vector<std::uint64_t> m_words;
};

} // namespace sunder
