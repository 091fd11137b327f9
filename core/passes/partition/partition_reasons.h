#pragma once

#include "analysis/device.h"
#include "analysis/training/training_graph.h"
#include "ir/graph.h"
#include "passes/partition/partition_set.h"

#include <span>
#include <string>
#include <vector>

namespace sunder {

// Explains a partitioner's decisions, as recorded in PartitionOrigin. Returns readable sentences with node names as in the file;
// bytes are the partitioner's own count, and the sentences say so. `graph` is the partitioned root graph, `devices` are the
// devices that it was partitioned for.

/// Explains how the partitioning came about, which limit was decisive, what to do about it, and which devices are empty or
/// overloaded. O(partitions + devices).
std::vector<std::string> reasonsOfCut(const Graph& graph, const PartitionSet& set, std::span<const Device> devices);

/// All explanations: of the partitioning, its partitions, and its devices, in their order.
struct AllReasons {
    std::vector<std::string> cut;
    std::vector<std::string> parts;
    std::vector<std::string> devices;
};

/// Returns all explanations. O(nodes + partitions + devices).
AllReasons allReasons(const Graph& graph, const PartitionSet& set, std::span<const Device> devices);

/// Explains why partition `index` begins and ends where it does, and why it is on its devices. O(partitions + devices).
std::string reasonOfPart(const Graph& graph, const PartitionSet& set, std::size_t index, std::span<const Device> devices);

/// Explains why a node is in its partition; for a placeholder or attribute, names the partitions that contain it. Empty if there
/// is none. O(members + devices).
std::string reasonOfNode(const Graph& graph, const PartitionSet& set, NodeId node, std::span<const Device> devices);

/// Explains what device number `place` holds and why, or why it is empty. O(partitions + devices).
std::string reasonOfDevice(const Graph& graph, const PartitionSet& set, std::size_t place, std::span<const Device> devices);

/// Returns a warning with advice if a partitioner, which ignores the forward/backward distinction, separates the passes of a
/// joint program: the number of backward calls that share no device with their forward call. Empty if there are none, and for
/// other programs. O(nodes).
std::string separateForwardBackward(const TrainingGraph& training, const PartitionSet& set);

} // namespace sunder
