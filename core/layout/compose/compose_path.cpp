#include "layout/compose/compose_path.h"

#include <algorithm>
#include <cmath>

namespace sunder::compose {
namespace {

constexpr float kSame = 0.25F;
constexpr float kBend = 24; ///< height of a bend at the end of a straight line

bool isSame(float a, float b)
{
    return std::fabs(a - b) < kSame;
}

} // namespace

void moveEnd(BezierPath& path, float x)
{
    if (path.size() < 4 || isSame(path.back().x, x))
        return;
    const std::size_t n = path.size();
    const Point start = path[n - 4];
    const Point end{x, path[n - 1].y};
    const bool isStraight = isSame(start.x, path[n - 1].x) && isSame(path[n - 3].x, start.x) && isSame(path[n - 2].x, start.x);
    // Places a widened bend in the gap between ranks, where there is room. Farther along the path there may be boxes.
    const bool getsWider = std::fabs(x - start.x) > std::fabs(path[n - 1].x - start.x);
    if (!isStraight && !getsWider) {
        path[n - 2].x = x;
        path[n - 1].x = x;
        return;
    }
    path.resize(n - 3);
    const float length = end.y - start.y;
    const float bend = std::copysign(std::min(std::fabs(length), kBend), length);
    if (!isSame(bend, length)) {
        const float third = (length - bend) / 3;
        path.push_back({start.x, start.y + third});
        path.push_back({start.x, start.y + 2 * third});
        path.push_back({start.x, start.y + 3 * third});
    }
    path.push_back({start.x, end.y - bend / 2});
    path.push_back({x, end.y - bend / 2});
    path.push_back(end);
}

void moveStart(BezierPath& path, float x)
{
    std::reverse(path.begin(), path.end());
    moveEnd(path, x);
    std::reverse(path.begin(), path.end());
}

void append(BezierPath& path, const BezierPath& next, Point offset)
{
    if (next.empty())
        return;
    const Point start{next.front().x + offset.x, next.front().y + offset.y};
    if (path.empty()) {
        path.push_back(start);
    } else if (!isSame(path.back().x, start.x) || !isSame(path.back().y, start.y)) {
        const Point end = path.back();
        const Point third{(start.x - end.x) / 3, (start.y - end.y) / 3};
        path.push_back({end.x + third.x, end.y + third.y});
        path.push_back({start.x - third.x, start.y - third.y});
        path.push_back(start);
    }
    for (std::size_t i = 1; i < next.size(); ++i)
        path.push_back({next[i].x + offset.x, next[i].y + offset.y});
}

} // namespace sunder::compose
