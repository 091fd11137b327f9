#pragma once

#include "analysis/cut/device_load.h"

#include <string>

namespace sunder {

/// "cut 160.0 MB · largest stage1 8.4 GB · imbalance 1.31 · 4 % above the bound", "nothing freed" under
/// MemoryRule::keepsAll, and how many sizes are not known.
std::string describeTotals(const CutMetrics& metrics);

/// The same of a cut on devices: the one that holds most in place of the largest part, "largest device cuda:1 8.4 GB", and
/// the imbalance among those that hold something. Parts on no device count for neither. `loads`: of as many devices.
std::string describeTotals(const CutMetrics& metrics, std::span<const Device> devices, std::span<const DeviceLoad> loads);

/// What the rule takes for granted, as the end of a sentence: "values are freed after their last reader", "no value is freed,
/// as torch's partitioners reckon".
std::string_view describeRule(MemoryRule rule);

/// What a part or a device holds, piece by piece: "weights 5.0 GB, own values at their peak 1.2 GB, inputs 40 MB"; where all
/// values are kept "weights 5.0 GB, values 4.0 GB of which none is freed, inputs 40 MB".
std::string describeNeed(const PartSizes& sizes, MemoryRule rule);
std::string describeNeed(const DeviceLoad& load);

/// What the bound says: "no cut into 3 parts has a largest part under 560 B: add alone takes that".
std::string describeBound(const CutMetrics& metrics, const Graph& graph);

/// "add: f32[1, 8], 32 B", "sym_size_int: symbolic int s27, no bytes"; "size not known" where it is not.
std::string describe(const RibbonValue& value, const Graph& graph);

} // namespace sunder
