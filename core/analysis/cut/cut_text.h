#pragma once

#include "analysis/cut/device_load.h"

#include <string>

namespace sunder {

/// "cut 160.0 MB · largest stage1 8.4 GB · imbalance 1.31 · 4 % above the bound", and how many sizes are not known.
std::string describeTotals(const CutMetrics& metrics);

/// The same of a cut on devices: the one that holds most in place of the largest part, "largest device cuda:1 8.4 GB", and
/// the imbalance among those that hold something. Parts on no device count for neither. `loads`: of as many devices.
std::string describeTotals(const CutMetrics& metrics, std::span<const Device> devices, std::span<const DeviceLoad> loads);

/// What the bound says: "no cut into 3 parts has a largest part under 560 B: add alone takes that".
std::string describeBound(const CutMetrics& metrics, const Graph& graph);

/// "add: f32[1, 8], 32 B", "sym_size_int: symbolic int s27, no bytes"; "size not known" where it is not.
std::string describe(const RibbonValue& value, const Graph& graph);

} // namespace sunder
