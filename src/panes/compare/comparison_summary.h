#pragma once

#include "document/runs/compare_runs.h"

#include <QStringList>

namespace sunder {

/// Returns the differences in a few words each, e.g. "3 ops moved", "cut +24.0 MB"; the most important first.
QStringList comparisonSummary(const RunComparison& comparison);

/// Returns e.g. "+24.0 MB", "−1.2 GB", "no change".
QString changeText(std::int64_t bytes);
/// Returns e.g. "+3 parts", "−1 node", "no change".
QString changeText(std::int64_t count, const char* noun);

} // namespace sunder
