#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// How a partition came about, as its partitioner noted it at work. Bytes are the partitioner's own count.
struct PartitionOrigin {
    enum class Kind : std::uint8_t {
        given,   ///< the request says which calls it has
        whole,   ///< its device has room for all calls
        filled,  ///< calls in graph order, as long as the device had room
        alone,   ///< every device was taken: one call, put where room was left
        tables,  ///< embeddings, as many as a device has room for
        dense,   ///< calls beside embeddings
        latency, ///< joined as long as the whole became no slower, and as there was no device for some
    };
    Kind kind = Kind::given;
    NodeId next = {};             ///< of filled: the call that it ended at, as there was no room for it; invalid where none was
    std::uint64_t nextBytes = 0;  ///< what that call needed
    double leftBytes = 0;         ///< what the device had left for it
    std::uint32_t joined = 1;     ///< how many partitions became this one
    std::optional<std::uint32_t> exchanged = {}; ///< Kernighan-Lin: how many of its calls were elsewhere at first
    /// Of filled: idle devices in front of its own without room for its first call, the first few and how many. A device is in
    /// `passedOver` of the first partition that it was too small for, so these lists are together no longer than that of devices.
    std::vector<std::int64_t> tooSmall = {};
    std::size_t tooSmallCount = 0;
    std::vector<std::int64_t> passedOver = {};

    static constexpr std::size_t kMostTooSmall = 5; ///< in `tooSmall`
};

/// Nodes that go to a device together.
struct Partition {
    std::int64_t id = 0; ///< names its submodule, see submoduleOf()
    std::vector<NodeId> nodes = {}; ///< in graph order; a placeholder or attribute may belong to several partitions
    std::uint64_t usedBytes = 0; ///< the partitioner's own account
    std::vector<std::int64_t> devices = {}; ///< logical ids; several where it is replicated
    std::vector<std::uint32_t> parents = {}; ///< indices of partitions that feed it, ascending
    std::vector<std::uint32_t> children = {}; ///< indices of partitions that it feeds, ascending
    PartitionOrigin origin = {};
};

/// What its submodule is called in the graph that is cut: "submod_3".
inline std::string submoduleOf(const Partition& partition)
{
    return "submod_" + std::to_string(partition.id);
}

/// How a graph is cut, before anything is cut: a value to look at, check and apply.
struct PartitionSet {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<Partition> partitions; ///< by the place of their first call in the graph
    std::vector<std::uint32_t> partitionOf; ///< per NodeId: index of the partition that a call is split into; else kNone
};

} // namespace sunder
