#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// Nodes that go to a device together.
struct Partition {
    std::int64_t id = 0;               ///< names its submodule, see submoduleOf()
    std::vector<NodeId> nodes = {};    ///< in graph order; a placeholder or attribute may belong to several partitions
    std::uint64_t usedBytes = 0;       ///< the partitioner's own account
    std::vector<std::int64_t> devices = {}; ///< logical ids; several where it is replicated
    std::vector<std::uint32_t> parents = {};  ///< indices of partitions that feed it, ascending
    std::vector<std::uint32_t> children = {}; ///< indices of partitions that it feeds, ascending
};

/// What its submodule is called in the graph that is cut: "submod_3".
inline std::string submoduleOf(const Partition& partition)
{
    return "submod_" + std::to_string(partition.id);
}

/// How a graph is cut, before anything is cut: a value to look at, check and apply.
struct PartitionSet {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<Partition> partitions;       ///< by the place of their first call in the graph
    std::vector<std::uint32_t> partitionOf; ///< per NodeId: index of the partition that a call is split into; else kNone
};

} // namespace sunder
