#include "canvas/timeline_scale.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr double kLanePadding = 7;
constexpr double kRowGap = 2;
constexpr double kPointerReach = 2; ///< of the pointer around narrow actions

} // namespace

TimelineScale TimelineScale::fitting(const TimelineContent& content, double height)
{
    TimelineScale scale{.memory = 0, .hasTransfers = content.hasTransfers};
    if (content.rankCount() > 0 && content.plan->model) {
        const double share = (height - scale.lanesTop()) / content.rankCount();
        scale.memory = std::clamp(share - scale.laneHeight() - kRowGap, kLeastMemory, kMostMemory);
    }
    return scale;
}

double TimelineScale::laneHeight() const
{
    return 2 * kLanePadding + kCompute + (hasTransfers ? 2 * (kTransfers + kRowGap) : 0) + (memory > 0 ? memory + kRowGap : 0);
}

TimelineScale::Band TimelineScale::band(std::uint32_t rank, TimelineRow row) const
{
    const double compute = laneTop(rank) + kLanePadding;
    if (row == TimelineRow::compute)
        return {compute, kCompute};
    const double send = compute + kCompute + kRowGap;
    return {row == TimelineRow::send ? send : send + kTransfers + kRowGap, kTransfers};
}

TimelineScale::Band TimelineScale::memoryBand(std::uint32_t rank) const
{
    return {laneTop(rank) + laneHeight() - kLanePadding - memory, memory};
}

QRectF TimelineScale::rectOf(const TimelineContent& content, TimelinePlace place) const
{
    const TimeSpan span = spanOf(content, place);
    const Band rows = band(place.rank, place.row);
    return {x(span.start), rows.top, std::max(1.0, (span.end - span.start) * perSecond), rows.height};
}

std::optional<std::uint32_t> TimelineScale::rankAt(const TimelineContent& content, double y) const
{
    if (y < lanesTop())
        return std::nullopt;
    const auto rank = static_cast<std::uint32_t>((y - lanesTop() + scrolled) / laneHeight());
    return rank < content.rankCount() ? std::optional(rank) : std::nullopt;
}

TimelinePlace TimelineScale::placeAt(const TimelineContent& content, QPointF at) const
{
    const std::optional<std::uint32_t> rank = rankAt(content, at.y());
    if (!rank || at.x() < kNames)
        return {};
    for (const TimelineRow row : {TimelineRow::compute, TimelineRow::send, TimelineRow::receive}) {
        const Band rows = band(*rank, row);
        const bool isShown = row == TimelineRow::compute || hasTransfers;
        if (isShown && at.y() >= rows.top && at.y() < rows.bottom())
            return sunder::placeAt(content, *rank, row, timeAt(at.x()), kPointerReach / perSecond);
    }
    return {};
}

} // namespace sunder
