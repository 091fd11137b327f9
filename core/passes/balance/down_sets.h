#pragma once

#include "passes/balance/balance_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Sets of units that are closed under predecessors, i.e. the possible contents of the first stages, with figures for comparing
/// two of them. Bits and lists are in flat arrays.
class DownSets {
public:
    explicit DownSets(const BalanceGraph& graph);

    [[nodiscard]] const BalanceGraph& graph() const { return m_graph; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_work.size()); }
    [[nodiscard]] std::size_t storedBytes() const;

    /// Adds a set. `crossing`: nets with a pin inside and another outside, ascending.
    void add(std::span<const std::uint64_t> bits, std::span<const std::uint32_t> crossing, double work, double bytes,
             std::span<const double> seconds);

    [[nodiscard]] std::span<const std::uint64_t> bits(std::uint32_t set) const { return {&m_bits[set * m_words], m_words}; }
    [[nodiscard]] double work(std::uint32_t set) const { return m_work[set]; }
    [[nodiscard]] double bytes(std::uint32_t set) const { return m_bytes[set]; }

    /// Returns the number of nets that cross the boundary of a set. load() takes time in proportion to those of both sets.
    [[nodiscard]] std::uint32_t crossingCount(std::uint32_t set) const { return m_crossingBegin[set + 1] - m_crossingBegin[set]; }

    /// Returns whether the second set contains the first.
    [[nodiscard]] bool isSubset(std::uint32_t inner, std::uint32_t outer) const
    {
        const std::uint64_t* in = &m_bits[inner * m_words];
        const std::uint64_t* out = &m_bits[outer * m_words];
        for (std::size_t word = m_firstOpen[outer]; word < m_end[inner]; ++word)
            if ((in[word] & ~out[word]) != 0)
                return false;
        return true;
    }

    /// Returns the load of a device of this class that holds the difference of the sets, if it is below `limit`; otherwise a
    /// number of at least `limit`. The first set must be a subset of the second.
    [[nodiscard]] double load(std::uint32_t inner, std::uint32_t outer, std::uint32_t deviceClass, double limit) const;
    /// Returns a lower bound of load() in constant time, also for sets that are not subsets.
    [[nodiscard]] double leastLoad(std::uint32_t inner, std::uint32_t outer, std::uint32_t deviceClass) const
    {
        const std::size_t at = std::size_t{deviceClass} * m_capacity;
        return m_seconds[at + outer] - m_seconds[at + inner];
    }
    /// Returns the bytes that a device holds for the difference of the sets.
    [[nodiscard]] double bytesBetween(std::uint32_t inner, std::uint32_t outer) const;
    /// Returns the nodes in the difference of the sets, ascending.
    [[nodiscard]] std::vector<std::uint32_t> nodesBetween(std::uint32_t inner, std::uint32_t outer) const;

private:
    [[nodiscard]] bool hasBetween(const std::vector<std::uint32_t>& pins, std::uint32_t inner, std::uint32_t outer) const;
    void grow();

    const BalanceGraph& m_graph;
    std::size_t m_words;
    std::size_t m_capacity = 0;
    std::vector<std::uint64_t> m_bits;
    std::vector<std::uint32_t> m_firstOpen; ///< per set: first word that lacks a unit
    std::vector<std::uint32_t> m_end;       ///< per set: one more than the last word with a unit
    std::vector<double> m_work;
    std::vector<double> m_bytes;
    std::vector<double> m_seconds; ///< per class · capacity + set
    std::vector<double> m_left;    ///< likewise: transfers of the crossing nets, to later stages
    std::vector<double> m_right;   ///< likewise, to earlier stages
    std::vector<std::uint32_t> m_crossingBegin = {0};
    std::vector<std::uint32_t> m_crossing;
};

/// One down-set that changes unit by unit, with its figures.
class DownSetCursor {
public:
    explicit DownSetCursor(const BalanceGraph& graph);

    void add(std::uint32_t unit);
    void remove(std::uint32_t unit);
    void clear();

    /// Returns the smallest addable unit from `from` on; the number of units if there is none.
    [[nodiscard]] std::uint32_t nextAddable(std::uint32_t from) const;
    /// Returns the largest removable unit below `below`; the number of units if there is none.
    [[nodiscard]] std::uint32_t previousRemovable(std::uint32_t below) const;
    /// Returns the least transfers of the values that cross.
    [[nodiscard]] double crossing() const;
    [[nodiscard]] std::size_t crossingCount() const { return m_crossing.size(); }
    [[nodiscard]] std::uint64_t hash() const { return m_hash; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    void addTo(DownSets& sets, double work, double bytes, std::span<const double> seconds) const;

private:
    void touch(std::uint32_t unit, bool isAdded);

    const BalanceGraph& m_graph;
    std::vector<std::uint64_t> m_bits;
    std::vector<std::uint64_t> m_addable;
    std::vector<std::uint64_t> m_removable;
    std::vector<std::uint32_t> m_missing;     ///< per unit: predecessors outside
    std::vector<std::uint32_t> m_usersInside; ///< per unit
    std::vector<std::uint32_t> m_pinsInside;  ///< per net
    std::vector<std::uint32_t> m_crossing;    ///< nets
    std::vector<std::uint32_t> m_placeOfNet;  ///< index in m_crossing
    std::uint64_t m_hash = 0;
    std::size_t m_size = 0;
};

} // namespace sunder
