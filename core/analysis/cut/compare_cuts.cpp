// Compares two cuts of one source: moved calls and costs.
#include "analysis/cut/compare_cuts.h"

#include <algorithm>

namespace sunder {
namespace {

std::int64_t difference(std::uint64_t before, std::uint64_t after)
{
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

std::uint64_t usedBytes(const CutMetrics& metrics, std::int32_t part)
{
    return part >= 0 ? metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes() : 0;
}

std::size_t filledParts(const CutMetrics& metrics)
{
    return static_cast<std::size_t>(
        std::count_if(metrics.parts.begin(), metrics.parts.end(), [](const PartMetrics& part) { return part.sizes.ops > 0; }));
}

} // namespace

CutComparison compareCuts(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after, PartMatching matching)
{
    return {compareAssignments(graph, before, after, matching), cutMetrics(graph, before), cutMetrics(graph, after)};
}

std::int64_t CutComparison::cutBytesChange() const
{
    return difference(before.cutBytes, after.cutBytes);
}

std::int64_t CutComparison::duplicatedBytesChange() const
{
    return difference(before.duplicatedBytes, after.duplicatedBytes);
}

std::int64_t CutComparison::largestChange() const
{
    return difference(usedBytes(before, before.largest), usedBytes(after, after.largest));
}

std::int64_t CutComparison::partCountChange() const
{
    return difference(filledParts(before), filledParts(after));
}

std::int64_t CutComparison::usedChange(const PartPair& pair) const
{
    return difference(usedBytes(before, pair.before), usedBytes(after, pair.after));
}

} // namespace sunder
