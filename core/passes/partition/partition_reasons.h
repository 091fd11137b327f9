#pragma once

#include "analysis/device.h"
#include "ir/graph.h"
#include "passes/partition/partition_set.h"

#include <span>
#include <string>
#include <vector>

namespace sunder {

// Why a partitioner made what it made, from what it noted at work (PartitionOrigin). Sentences for people, with names as files have
// them; bytes are the partitioner's own count, and say so. `graph` is the root graph that was partitioned, `devices` those that it was
// partitioned over.

/// How the cut came about, which limit decided, what to do about it, and which devices hold nothing or too much.
/// O(partitions + devices).
std::vector<std::string> reasonsOfCut(const Graph& graph, const PartitionSet& set, std::span<const Device> devices);

/// All that can be said of a cut, its partitions, and its devices, in their order.
struct AllReasons {
    std::vector<std::string> cut;
    std::vector<std::string> parts;
    std::vector<std::string> devices;
};

/// O(nodes + partitions + devices).
AllReasons allReasons(const Graph& graph, const PartitionSet& set, std::span<const Device> devices);

/// Why a partition begins and ends where it does, and why it is on its devices. `index` is one of the set. O(partitions + devices).
std::string reasonOfPart(const Graph& graph, const PartitionSet& set, std::size_t index, std::span<const Device> devices);

/// Why a node is in its partition; of a placeholder or an attribute, which partitions hold it. Empty where none does.
/// O(members + devices).
std::string reasonOfNode(const Graph& graph, const PartitionSet& set, NodeId node, std::span<const Device> devices);

/// What a device holds and why, or why it holds nothing. `place` is its place among the devices. O(partitions + devices).
std::string reasonOfDevice(const Graph& graph, const PartitionSet& set, std::size_t place, std::span<const Device> devices);

} // namespace sunder
