#pragma once

#include "analysis/cut/cut_metrics.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Returns the cost of a cut as JSON, with all sizes in bytes:
///
///     {"totals":{"cut":…,"crossing":…,"backward":…,"parameters":…,"duplicated":…,"largest":"a","imbalance":1.3,
///                "bound":{"bytes":…,"reason":"call","node":"add"},"gap":0.04,"unknown_crossings":0},
///      "parts":[{"name":"a","ops":…,"parameters":…,"duplicated":…,"activation_peak":…,"activation_sum":…,"peak_at":"add",
///                "inputs":…,"program_inputs":…,"outputs":…,"used":…,"unknown_values":["x"],"unknown_tensors":["w"]}],
///      "ribbons":[{"from":"a","to":"b","bytes":…,"values":[{"name":"add","dtype":"float32","shape":"1×8","bytes":32}]}]}
///
/// If sizes depend on symbols, "assumed_sizes":{"s27":8} lists their assumed values. `bytes` of a value is null if unknown. See
/// analysis/cut/cut_metrics.h for the meaning of the numbers.
std::string cutReportJson(const Program& source, const CutMetrics& metrics);

/// The same to a file, which is replaced atomically.
Result<void> writeCutReport(const Program& source, const CutMetrics& metrics, const std::string& path);

} // namespace sunder
