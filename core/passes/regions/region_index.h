#pragma once

#include "passes/regions/region_result.h"

#include <optional>

namespace sunder {

/// Where a node stands among repeated regions.
struct RegionPlace {
    std::size_t group = 0;
    std::size_t occurrence = 0;
    std::size_t place = 0; ///< in the region
};

/// Finds the region of a node in O(1). A node of several groups, which only torch's own result has, is found in the one
/// that was put last.
class RegionIndex {
public:
    RegionIndex() = default;
    /// `nodes`: the length of a table indexed by NodeId.
    RegionIndex(const RegionResult& regions, std::size_t nodes);

    /// Nodes of this group are found in it from now on.
    void put(const RegionResult& regions, std::size_t group);
    [[nodiscard]] std::optional<RegionPlace> at(NodeId id) const;

private:
    struct Entry {
        std::uint32_t group = kNone;
        std::uint32_t index = 0; ///< among the group's nodes
    };
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<Entry> m_entries;       ///< per NodeId
    std::vector<std::uint32_t> m_lengths; ///< per group
};

} // namespace sunder
