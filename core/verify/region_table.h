#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sunder {

/// A union-find table of regions of memory. Regions that may overlap are merged, regardless of program order. Merging is
/// conservative: it never makes different programs equal, but only orders more writes.
class RegionTable {
public:
    /// Adds a region that appears inside `closures` nested closures.
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
    /// Whether a call changes the shape, strides, or storage of a tensor in the region.
    [[nodiscard]] bool isReshaped(std::uint32_t region) { return m_facts[find(region)].reshaped; }
    /// Returns the number of closures that contain the whole region. A write inside more closures affects memory outside of them.
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
