#pragma once

#include "analysis/cut/cut_metrics.h"

#include <vector>

namespace sunder {

/// All ribbons by (from, to), their values in graph order. Reads by calls without a part count for nothing.
/// O(values + readers + parts).
std::vector<Ribbon> ribbonsOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts);

/// Bytes of values that some other part reads, each once.
std::uint64_t crossingBytesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// The other parts that read a value of a call, ascending, each once; empty for a call without a part. `found` is
/// overwritten. O(readers × log readers).
void partsThatRead(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                   std::vector<std::int32_t>& found);

} // namespace sunder
