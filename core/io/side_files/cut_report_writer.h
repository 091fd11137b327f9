#pragma once

#include "analysis/cut/cut_metrics.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// What a cut costs, as JSON; all sizes in bytes:
///
///     {"totals":{"cut":…,"crossing":…,"backward":…,"parameters":…,"duplicated":…,"largest":"a","imbalance":1.3,
///                "bound":{"bytes":…,"reason":"call","node":"add"},"gap":0.04,"unknown_crossings":0},
///      "parts":[{"name":"a","ops":…,"parameters":…,"duplicated":…,"activation_peak":…,"activation_sum":…,"peak_at":"add",
///                "inputs":…,"program_inputs":…,"outputs":…,"used":…,"unknown_values":["x"],"unknown_tensors":["w"]}],
///      "ribbons":[{"from":"a","to":"b","bytes":…,"values":[{"name":"add","dtype":"float32","shape":"1×8","bytes":32}]}]}
///
/// Where sizes depend on symbols, "assumed_sizes":{"s27":8} says for which values the figures are.
/// `bytes` of a value is null where it is not known. What the figures mean: analysis/cut/cut_metrics.h.
std::string cutReportJson(const Program& source, const CutMetrics& metrics);

/// The same to a file, which appears whole or not at all.
Result<void> writeCutReport(const Program& source, const CutMetrics& metrics, const std::string& path);

} // namespace sunder
