#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

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
