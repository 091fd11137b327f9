#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Compares regions with a first one, node by node, to find out whether they are copies that differ only in their outer inputs.
/// Scratch arrays are reused, so a comparison is linear in the arguments of both regions.
class RegionCopy {
public:
    explicit RegionCopy(const RankedGraph& graph);

    /// Returns an empty string if the regions (of equal length, each node once) are copies: at each place the same `op` and
    /// `target`, the same constants by type and value, keywords in the same order, the same places for inner inputs, and outer
    /// inputs that repeat in the same pattern. Otherwise returns a sentence that names the first two nodes that differ.
    std::string difference(std::span<const std::uint32_t> first, std::span<const std::uint32_t> other);

private:
    /// Labels of nodes relative to a region: the place in the region, or the number of outer inputs used before.
    struct Side {
        std::vector<std::uint32_t> stamp; ///< per rank: number of the comparison that assigned `label`
        std::vector<std::uint32_t> label;
        std::uint32_t outer = 0;
    };
    static constexpr std::uint32_t kOuter = 0x80000000U;

    void begin(Side& side, std::span<const std::uint32_t> region);
    std::uint32_t labelOf(Side& side, NodeId id);
    bool same(const Argument& a, const Argument& b, const char*& what);
    bool sameNode(const Node& a, const Node& b, const char*& what);

    const RankedGraph& m_graph;
    Side m_first;
    Side m_other;
    std::uint32_t m_stamp = 0;
};

} // namespace sunder
