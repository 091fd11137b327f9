#pragma once

#include "analysis/cut/cut_metrics.h"

#include <string>

namespace sunder {

/// "cut 160.0 MB · largest stage1 8.4 GB · imbalance 1.31 · 4 % above the bound", and how many sizes are not known.
std::string describeTotals(const CutMetrics& metrics);

/// What the bound says: "no cut into 3 parts has a largest part under 560 B: add alone takes that".
std::string describeBound(const CutMetrics& metrics, const Graph& graph);

/// "add: f32[1, 8], 32 B"; "size not known" where it is not.
std::string describe(const RibbonValue& value, const Graph& graph);

} // namespace sunder
