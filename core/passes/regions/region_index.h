#pragma once

#include "passes/regions/region_result.h"

#include <optional>

namespace sunder {

/// The place of a node in a repeated region.
struct RegionPlace {
    std::size_t group = 0;
    std::size_t occurrence = 0;
    std::size_t place = 0; ///< index in the region
};

/// Finds the region of a node in O(1). For a node in several groups, which occurs only with `asUpstream`, returns the group added
/// last.
class RegionIndex {
public:
    RegionIndex() = default;
    /// `nodes`: size of a table indexed by NodeId.
    RegionIndex(const RegionResult& regions, std::size_t nodes);

    /// Makes lookups of this group's nodes return this group.
    void put(const RegionResult& regions, std::size_t group);
    [[nodiscard]] std::optional<RegionPlace> at(NodeId id) const;

private:
    struct Entry {
        std::uint32_t group = kNone;
        std::uint32_t index = 0; ///< index into the group's nodes
    };
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<Entry> m_entries; ///< per NodeId
    std::vector<std::uint32_t> m_lengths; ///< per group
};

} // namespace sunder
