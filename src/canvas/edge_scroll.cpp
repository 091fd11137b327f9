#include "canvas/edge_scroll.h"

#include "canvas/motion.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr double kScrollMargin = 24;  ///< distance from the edge, in pixels, at which scrolling starts
constexpr double kMaxBeyond = 60;    ///< distance with the maximum speed
constexpr double kPacePerPixel = 0.3; ///< pixels per step and pixel of distance
constexpr int kScrollStepMs = 16;
constexpr int kReducedStepMs = 320;

/// Returns the speed along one axis, from the distance into the margin at either end.
double paceOnAxis(double at, double length)
{
    if (length < 4 * kScrollMargin) // the margins would fill the view
        return 0;
    const double before = std::clamp(kScrollMargin - at, 0.0, kMaxBeyond);
    const double behind = std::clamp(at - (length - kScrollMargin), 0.0, kMaxBeyond);
    return (before - behind) * kPacePerPixel;
}

} // namespace

EdgeScroll::EdgeScroll(std::function<bool(QPointF)> scroll) : m_scroll(std::move(scroll))
{
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { step(); });
}

QPointF EdgeScroll::paceAt(QPointF at, QSizeF view)
{
    return {paceOnAxis(at.x(), view.width()), paceOnAxis(at.y(), view.height())};
}

void EdgeScroll::follow(QPointF at, QSizeF view)
{
    m_pace = paceAt(at, view);
    if (m_pace.isNull())
        return stop();
    if (isScrolling())
        return;
    const int interval = Motion::isReduced() ? kReducedStepMs : kScrollStepMs;
    m_stepsAtOnce = static_cast<double>(interval) / kScrollStepMs;
    m_timer.start(interval);
}

void EdgeScroll::step()
{
    if (!m_scroll(m_pace * m_stepsAtOnce))
        stop();
}

} // namespace sunder
