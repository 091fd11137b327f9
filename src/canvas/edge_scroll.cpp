#include "canvas/edge_scroll.h"

#include "canvas/motion.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr double kScrollMargin = 24;  ///< pixels from the edge where it begins
constexpr double kMostBeyond = 60;    ///< from there on it is not faster
constexpr double kPacePerPixel = 0.3; ///< pixels a step for each pixel beyond
constexpr int kScrollStepMs = 16;
constexpr int kReducedStepMs = 320;

/// Into the margin at the lower end, and at the upper end of one axis.
double paceOnAxis(double at, double length)
{
    if (length < 4 * kScrollMargin) // all of it would be margin
        return 0;
    const double before = std::clamp(kScrollMargin - at, 0.0, kMostBeyond);
    const double behind = std::clamp(at - (length - kScrollMargin), 0.0, kMostBeyond);
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
