#pragma once

#include "analysis/cut/cut_metrics.h"

#include <vector>

namespace sunder {

/// Returns all cutEdges by (from, to), with values in graph order. Ignores consumers without a part. O(values + readers + parts).
std::vector<CutEdge> cutEdgesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t parts);

/// Returns the bytes of values that other parts consume. A value with several consumers counts once.
std::uint64_t crossingBytesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

/// Finds the other parts that consume a value of a call, in ascending order without repeats; none for a call without a part.
/// Overwrites `found`. O(readers × log readers).
void partsThatRead(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                   std::vector<std::int32_t>& found);

} // namespace sunder
