#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// What names a partition: its text, and the number that it is when it was given as one.
struct PartitionId {
    InternedString text;
    std::optional<std::int64_t> number = {};
    friend bool operator==(const PartitionId&, const PartitionId&) = default;
};

/// (node name, partition), as PARTITIONS.json and people write it.
using PartitionPair = std::pair<InternedString, PartitionId>;

/// Which call of the root graph is in which partition. Entries for other nodes have no effect.
struct PartitionAssignment {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<PartitionId> ids;           ///< distinct by text, in any order
    std::vector<std::uint32_t> partitionOf; ///< per NodeId index of the root graph: index into ids, or kNone

    std::vector<PartitionPair> unknownNodes = {}; ///< pairs whose name is no node of the graph

    /// No call of the graph is in any partition.
    [[nodiscard]] static PartitionAssignment noneOf(const Graph& graph)
    {
        return {.ids = {}, .partitionOf = std::vector<std::uint32_t>(graph.idBound(), kNone)};
    }

    /// Index into ids, or kNone; safe for nodes that the table does not reach.
    [[nodiscard]] std::uint32_t operator[](NodeId id) const
    {
        return id.index() < partitionOf.size() ? partitionOf[id.index()] : kNone;
    }
};

/// Assigns partitions by node name. 1 and "1" are one partition, which then counts as text; of two pairs for one node
/// the later one holds. O(nodes + pairs).
PartitionAssignment assignPartitions(const Graph& graph, std::span<const PartitionPair> pairs);

} // namespace sunder
