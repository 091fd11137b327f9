#pragma once

#include "analysis/cut/device_load.h"

#include <string>

namespace sunder {

/// "cut 160.0 MB · largest stage1 8.4 GB · imbalance 1.31 · 4 % above the best possible balance", "activations
/// never freed (torch's count)" under MemoryRule::keepsAll, and the number of unknown sizes.
std::string describeTotals(const CutMetrics& metrics);

/// The same of a cut on devices: the one that holds most in place of the largest part, "largest device cuda:1 8.4 GB", and
/// the imbalance among those that hold something. Parts on no device count for neither. `loads`: of as many devices.
std::string describeTotals(const CutMetrics& metrics, std::span<const Device> devices, std::span<const DeviceLoad> loads);

/// What figures under the rule are, as the end of a sentence: "the peak of a run, in which values are freed after their last reader",
/// "torch's count, in which no value is freed".
std::string_view describeRule(MemoryRule rule);

/// The partitioner's count, to follow a figure under MemoryRule::freesDead: "torch counts 524.1 kB: it never frees".
std::string describeTorchCount(std::uint64_t bytes);

/// The memory of a part or a device, piece by piece: "weights 5.0 GB, activations 1.2 GB at their peak, inputs 40.0 MB"; where all
/// values are kept "weights 5.0 GB, activations 4.0 GB that are never freed, inputs 40.0 MB".
std::string describeNeed(const PartSizes& sizes, MemoryRule rule);
std::string describeNeed(const DeviceLoad& load);

/// What the bound says: "no cut into 3 parts has a largest part under 560 B: add alone takes that".
std::string describeBound(const CutMetrics& metrics, const Graph& graph);

/// "add: f32[1, 8], 32 B", "sym_size_int: symbolic int s27, no bytes"; "size not known" where it is not.
std::string describe(const RibbonValue& value, const Graph& graph);

} // namespace sunder
