#pragma once

#include "analysis/cut/device_load.h"

#include <string>

namespace sunder {

/// Summarizes a cut: "cut 160.0 MB · largest stage1 8.4 GB · memory imbalance 1.31 · memory at most 4% above optimal". Adds
/// "activations never freed (PyTorch's count)" under MemoryRule::keepsAll, and the number of unknown sizes.
std::string describeTotals(const CutMetrics& metrics);

/// Summarizes a cut on devices, with the most loaded device instead of the largest part: "largest device cuda:1 8.4 GB". The
/// imbalance is among devices with a load. Parts without a device are excluded from both. `loads` is parallel to `devices`.
std::string describeTotals(const CutMetrics& metrics, std::span<const Device> devices, std::span<const DeviceLoad> loads);

/// Describes the rule in the middle of a sentence: "the run-time peak; values are freed after their last use" or "PyTorch's count,
/// which never frees values".
std::string_view describeRule(MemoryRule rule);

/// Formats the partitioner's count as an addition to a figure under MemoryRule::freesDead: "PyTorch counts 524.1 kB: no value
/// is freed".
std::string describeTorchCount(std::uint64_t bytes);

/// Itemizes the memory of a part or device: "weights 5.0 GB, activations 1.2 GB at their peak, inputs 40.0 MB"; under
/// MemoryRule::keepsAll "weights 5.0 GB, activations 4.0 GB that are never freed, inputs 40.0 MB".
std::string describeNeed(const PartSizes& sizes, MemoryRule rule);

/// Describes the bound: "no cut into 3 parts has a largest part below 560 B: add alone needs that much".
std::string describeBound(const CutMetrics& metrics, const Graph& graph);

/// Returns "add: f32[1, 8], 32 B", "sym_size_int: symbolic int s27, no bytes", or "unknown size".
std::string describe(const CutEdgeValue& value, const Graph& graph);

} // namespace sunder
