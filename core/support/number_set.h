#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

/// A set of 64-bit numbers without an allocation per entry. Entries are never removed. Linear probing, load factor at most 3/4.
class NumberSet {
public:
    /// Inserts a number. Returns true if it is new. The largest 64-bit number cannot be stored.
    bool insert(std::uint64_t number)
    {
        if ((m_size + 1) * 4 > m_slots.size() * 3)
            grow();
        std::uint64_t& slot = m_slots[indexOf(number)];
        const bool isNew = slot == kFree;
        m_size += isNew ? 1 : 0;
        slot = number;
        return isNew;
    }

private:
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    [[nodiscard]] std::size_t indexOf(std::uint64_t number) const
    {
        const std::size_t mask = m_slots.size() - 1;
        const std::uint64_t mixed = (number ^ number >> 32U) * 0x9E3779B97F4A7C15ULL;
        std::size_t at = (mixed >> 20U) & mask;
        while (m_slots[at] != kFree && m_slots[at] != number)
            at = (at + 1) & mask;
        return at;
    }

    void grow()
    {
        std::vector<std::uint64_t> old(std::max<std::size_t>(64, m_slots.size() * 2), kFree);
        old.swap(m_slots);
        for (const std::uint64_t number : old)
            if (number != kFree)
                m_slots[indexOf(number)] = number;
    }

    std::vector<std::uint64_t> m_slots;
    std::size_t m_size = 0;
};

/// A set of dense indices that can be cleared in O(1).
class StampSet {
public:
    explicit StampSet(std::size_t bound) : m_stampOf(bound, 0) {}

    void clear() { ++m_stamp; }
    /// Inserts an index. Returns true if it is new.
    bool insert(std::uint32_t index) { return std::exchange(m_stampOf[index], m_stamp) != m_stamp; }
    [[nodiscard]] bool contains(std::uint32_t index) const { return m_stampOf[index] == m_stamp; }

private:
    std::vector<std::uint32_t> m_stampOf;
    std::uint32_t m_stamp = 1;
};

} // namespace sunder
