#pragma once

#include "document/runs/compare_runs.h"

#include <QStringList>

namespace sunder {

/// "3 ops moved", "cut +24.0 MB", …: what differs, in a few words each, the weightiest first.
QStringList comparisonSummary(const RunComparison& comparison);

/// "+24.0 MB", "−1.2 GB", "no change".
QString changeText(std::int64_t bytes);
/// "+3 parts", "−1 node", "no change".
QString changeText(std::int64_t count, const char* noun);

} // namespace sunder
