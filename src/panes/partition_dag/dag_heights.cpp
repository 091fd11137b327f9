#include "panes/partition_dag/dag_heights.h"

#include "panes/partition_dag/dag_layout.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr DagHeights kTall{.box = 60, .gap = 34, .idleLane = 28, .rim = 16};
constexpr DagHeights kWithChips{.box = 64, .gap = 40, .idleLane = 28, .rim = 16};
constexpr DagHeights kCompact{.isCompact = true, .box = 26, .gap = 16, .idleLane = 28, .rim = 16}; // chips are as high as the gap
constexpr double kMinLine = 17; ///< box height: a title and padding
constexpr double kMinGap = 4;
constexpr double kLabeledGap = 15; ///< minimum for labels

/// Returns one-line boxes, as close to each other as `height` requires.
DagHeights dense(const DagContent& content, double height)
{
    DagHeights heights = kCompact;
    if (height <= 0 || heights.whole(content) <= height)
        return heights;
    heights.rim = 10;
    heights.idleLane = 20;
    const auto boxes = static_cast<double>(std::max<std::size_t>(1, content.boxes.size()));
    const double others = heights.whole(content) - boxes * heights.box - (boxes - 1) * heights.gap;
    const double pitch = std::floor((height - others) / boxes); // includes one gap too many, as padding
    if (pitch < kMinLine + kMinGap)
        return kCompact;
    const double shrunk = std::min(pitch, kCompact.box + kCompact.gap);
    heights.box = std::clamp(std::round(shrunk * kCompact.box / (kCompact.box + kCompact.gap)), kMinLine, kCompact.box);
    heights.gap = shrunk - heights.box;
    heights.isDense = heights.gap < kLabeledGap;
    return heights;
}

} // namespace

double DagHeights::whole(const DagContent& content) const
{
    const auto idle = static_cast<double>(
        std::ranges::count_if(content.lanes, [](const DagLane& lane) { return lane.begin == lane.end; }));
    const auto boxes = static_cast<double>(content.boxes.size());
    return 2 * rim + boxes * box + std::max(0.0, boxes - 1) * gap + idle * idleLane;
}

DagHeights heightsOf(const DagContent& content, double height, double zoom)
{
    const DagHeights tall = content.handles.empty() ? kTall : kWithChips;
    if (zoom >= DagLayout::kDetailed)
        return tall;
    const std::size_t boxes = content.boxes.size();
    const bool hasRoom = height <= 0 || tall.whole(content) * DagLayout::kMinFitted <= height;
    return boxes <= DagLayout::kFewBoxes || (boxes <= DagLayout::kMaxTallBoxes && hasRoom) ? tall : dense(content, height);
}

} // namespace sunder
