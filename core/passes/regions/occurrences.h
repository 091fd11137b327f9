#pragma once

#include "analysis/fill/fill.h"
#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The occurrences of a group in program order, one per row. The group must outlive this object.
class OccurrenceOrder {
public:
    OccurrenceOrder() = default;
    /// `positions`: position of each node in the graph, per NodeId.
    OccurrenceOrder(const RegionGroup& group, std::span<const std::uint32_t> positions);

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_occurrences.size()); }
    [[nodiscard]] std::size_t occurrenceAt(int row) const { return m_occurrences[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(std::size_t occurrence) const { return m_rows[occurrence]; }
    [[nodiscard]] std::span<const NodeId> nodesAt(int row) const { return m_group->region(occurrenceAt(row)); }

private:
    const RegionGroup* m_group = nullptr;
    std::vector<std::size_t> m_occurrences; ///< per row
    std::vector<int> m_rows; ///< per occurrence
};

/// Converts regions to the lookup table of the fill tool. `nodes`: size of a table indexed by NodeId. O(nodes + nodes in
/// regions).
OccurrenceTable occurrencesOf(const RegionResult& regions, std::size_t nodes);

/// Returns display names for the regions of a group, in the shortest form that makes them unique. Tries the enclosing module
/// ("layers.14"), the enclosing module of the first and last node, the range of modules from the first to the last node
/// ("layers.0 … layers.1"), and finally the last node ("layers.0.mlp: linear_6"). Linear in nodes × depth of their modules.
std::vector<std::string> occurrenceNames(const Program& program, const RegionGroup& group);

/// Returns "layers.*.mlp" for "layers.31.mlp": the common path of corresponding modules in list elements.
std::string likeModules(std::string_view path);

/// Returns the path of the innermost module of a node; empty if unknown.
std::string_view innermostModule(const Program& program, const Node& node);

} // namespace sunder
