#include "layout/compose/column_breaks.h"

#include <algorithm>
#include <limits>

namespace sunder::compose {
namespace {

constexpr double kRoomCost = 6;       ///< of an empty column
constexpr double kColumnCost = 0.2;   ///< of an additional column
constexpr double kCrossingCost = 0.25;
constexpr double kInsideCost = 0.5;   ///< of a cut that is not at the boundary of a module
constexpr double kLastRoomCost = 0.5; ///< lower, because the last column may be short

double costOfCut(const Band& last)
{
    return kColumnCost + kCrossingCost * last.crossing + (last.endsModule ? 0 : kInsideCost);
}

} // namespace

std::vector<std::uint32_t> columnBreaks(const std::vector<Band>& bands, float height)
{
    const std::size_t count = bands.size();
    std::vector<double> cost(count + 1, std::numeric_limits<double>::infinity()); // of the preceding bands
    std::vector<std::size_t> first(count + 1, 0);
    cost[0] = 0;
    for (std::size_t end = 1; end <= count; ++end) {
        for (std::size_t begin = end; begin-- > 0;) {
            const float used = bands[end - 1].bottom - bands[begin].top;
            if (used > height && begin + 1 < end)
                break;
            const double room = std::max(0.0, 1.0 - static_cast<double>(used / height));
            const bool isLast = end == count;
            const double total = cost[begin] + room * room * (isLast ? kLastRoomCost : kRoomCost)
                + (isLast ? 0 : costOfCut(bands[end - 1]));
            if (total < cost[end]) {
                cost[end] = total;
                first[end] = begin;
            }
        }
    }
    std::vector<std::uint32_t> starts;
    for (std::size_t end = count; end > 0; end = first[end])
        starts.push_back(static_cast<std::uint32_t>(first[end]));
    std::reverse(starts.begin(), starts.end());
    return starts;
}

} // namespace sunder::compose
