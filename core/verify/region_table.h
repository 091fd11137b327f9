#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sunder {

/// Pieces of memory that values lie in. Regions that may overlap are merged, whatever the order of the program: taking
/// two for one never makes two programs equal that are not, it only asks them to keep more writes in order.
class RegionTable {
public:
    /// A region that appears inside `closures` nested closures.
    std::uint32_t add(std::uint32_t closures)
    {
        m_parents.push_back(static_cast<std::uint32_t>(m_parents.size()));
        m_facts.push_back({.closures = closures});
        return m_parents.back();
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t region)
    {
        while (m_parents[region] != region) {
            m_parents[region] = m_parents[m_parents[region]];
            region = m_parents[region];
        }
        return region;
    }
    void merge(std::uint32_t a, std::uint32_t b)
    {
        a = find(a);
        b = find(b);
        if (a == b)
            return;
        if (m_facts[a].size < m_facts[b].size)
            std::swap(a, b);
        m_parents[b] = a;
        Facts& facts = m_facts[a];
        facts.size += m_facts[b].size;
        facts.closures = std::min(facts.closures, m_facts[b].closures);
        facts.written = facts.written || m_facts[b].written;
        facts.reshaped = facts.reshaped || m_facts[b].reshaped;
    }
    void markWritten(std::uint32_t region) { m_facts[find(region)].written = true; }
    void markReshaped(std::uint32_t region) { m_facts[find(region)].reshaped = true; }

    [[nodiscard]] bool isWritten(std::uint32_t region) { return m_facts[find(region)].written; }
    /// True when a call changes shape, strides or storage of a tensor in it.
    [[nodiscard]] bool isReshaped(std::uint32_t region) { return m_facts[find(region)].reshaped; }
    /// How many closures are around all of it: fewer than around a write to it when the write reaches outside.
    [[nodiscard]] std::uint32_t closures(std::uint32_t region) { return m_facts[find(region)].closures; }
    [[nodiscard]] std::size_t size() const { return m_parents.size(); }

private:
    struct Facts {
        std::uint32_t size = 1;
        std::uint32_t closures = 0;
        bool written = false;
        bool reshaped = false;
    };
    std::vector<std::uint32_t> m_parents;
    std::vector<Facts> m_facts;
};

} // namespace sunder
