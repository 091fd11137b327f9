#include "layout/layered/routing_path.h"

#include <algorithm>
#include <cmath>

namespace sunder::layered {

namespace {

constexpr float kTension = 0.5F; ///< position of control points, relative to the height of a bend
constexpr float kArc = 0.55F;    ///< the same for a quarter of an ellipse

Point pointOf(double x, double y)
{
    return {static_cast<float>(x), static_cast<float>(y)};
}

} // namespace

PathBuilder::PathBuilder(double x, double y) : m_path{pointOf(x, y)} {}

void PathBuilder::curve(Point a, Point b, Point end)
{
    m_path.push_back(a);
    m_path.push_back(b);
    m_path.push_back(end);
    m_isVertical = false;
}

void PathBuilder::downTo(double y)
{
    const auto end = static_cast<float>(y);
    if (end <= m_path.back().y)
        return;
    if (m_isVertical)
        m_path.resize(m_path.size() - 3);
    const Point start = m_path.back();
    const float third = (end - start.y) / 3;
    curve({start.x, start.y + third}, {start.x, end - third}, {start.x, end});
    m_isVertical = true;
}

void PathBuilder::bendTo(double x, double y)
{
    const Point start = m_path.back();
    const Point end = pointOf(x, y);
    if (std::abs(end.x - start.x) < 0.25F) {
        downTo(y);
        return;
    }
    const float handle = (end.y - start.y) * kTension;
    curve({start.x, start.y + handle}, {end.x, end.y - handle}, end);
}

void PathBuilder::sideTo(double x, double y)
{
    const Point start = m_path.back();
    const Point end = pointOf(x, y);
    const float half = (end.y - start.y) / 2;
    if (std::abs(end.x - start.x) < 2 * half) {
        bendTo(x, y);
        return;
    }
    const float middle = start.y + half;
    const float turn = std::copysign(half, end.x - start.x);
    curve({start.x, start.y + half * kArc}, {start.x + turn * (1 - kArc), middle}, {start.x + turn, middle});
    const float third = (end.x - start.x - 2 * turn) / 3;
    curve({start.x + turn + third, middle}, {end.x - turn - third, middle}, {end.x - turn, middle});
    curve({end.x - turn * (1 - kArc), middle}, {end.x, end.y - half * kArc}, end);
}

BezierPath PathBuilder::take()
{
    return std::move(m_path);
}

} // namespace sunder::layered
