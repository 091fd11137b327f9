#pragma once

#include "analysis/device.h"
#include "analysis/partition_dag.h"
#include "ir/ids.h"
#include "passes/split_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// How a partition came about, as recorded by its partitioner. Bytes are the partitioner's own count.
struct PartitionOrigin {
    enum class Kind : std::uint8_t {
        given,   ///< its calls were given in the request
        whole,   ///< one device has room for all calls
        filled,  ///< calls in graph order, until the device was full
        alone,   ///< one call, placed on a device with room left after all devices were taken
        tables,  ///< embeddings, as many as fit on a device
        dense,   ///< calls other than embeddings
        latency, ///< joined while total latency did not grow, or while some partition had no device
    };
    Kind kind = Kind::given;
    NodeId next = {};             ///< for `filled`: the first call that did not fit; invalid if there was none
    std::uint64_t nextBytes = 0;  ///< bytes that call needed
    double leftBytes = 0;         ///< bytes that the device had left for it
    std::uint32_t joined = 1;     ///< number of partitions joined into this one
    std::optional<std::uint32_t> exchanged = {}; ///< Kernighan-Lin: number of its calls that started elsewhere
    /// For `filled`: idle devices before its own that were too small for its first call (the first few, and their number). A
    /// device is in `passedOver` of the first partition that it was too small for, so these lists together are no longer than the
    /// device list.
    std::vector<std::int64_t> tooSmall = {};
    std::size_t tooSmallCount = 0;
    std::vector<std::int64_t> passedOver = {};

    static constexpr std::size_t kMaxTooSmall = 5; ///< maximum length of `tooSmall`
};

/// Nodes placed on a device together.
struct Partition {
    std::int64_t id = 0; ///< names its submodule, see submoduleOf()
    std::vector<NodeId> nodes = {}; ///< in graph order; a placeholder or attribute may belong to several partitions
    std::uint64_t usedBytes = 0; ///< the partitioner's own account
    std::vector<std::int64_t> devices = {}; ///< logical ids; several if it is replicated
    std::vector<std::uint32_t> parents = {}; ///< indices of its producers, ascending
    std::vector<std::uint32_t> children = {}; ///< indices of its consumers, ascending
    PartitionOrigin origin = {};
};

/// Returns the name of its submodule in the split graph, e.g. "submod_3".
inline std::string submoduleOf(const Partition& partition)
{
    return "submod_" + std::to_string(partition.id);
}

/// A partitioning of a graph as data: can be inspected, checked and applied.
struct PartitionSet {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<Partition> partitions; ///< ordered by their first call in the graph
    std::vector<std::uint32_t> partitionOf; ///< per NodeId: index of the call's partition in the split; else kNone
};

/// Result of a partitioner: the partitions as data, and the split graph.
struct PartitionResult {
    SplitResult split;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in execution order
    /// If the request has a latency for every call: seconds of each partition's critical path, by index.
    std::vector<double> latencies = {};
    std::optional<double> graphLatency = {}; ///< seconds of the critical path, including transfers
};

} // namespace sunder
