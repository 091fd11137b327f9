#pragma once

#include <QPointF>
#include <QSizeF>
#include <QTimer>

#include <functional>

namespace sunder {

/// Scrolls a view while the mouse is near or beyond its edge during a stroke; faster at larger distances. With reduced motion it
/// scrolls in few large steps.
class EdgeScroll final {
public:
    /// `scroll` moves the picture by this many pixels, and returns false at its end.
    explicit EdgeScroll(std::function<bool(QPointF)> scroll);

    /// Sets the position of the mouse in a view of this size.
    void follow(QPointF at, QSizeF view);
    void stop() { m_timer.stop(); }
    [[nodiscard]] bool isScrolling() const { return m_timer.isActive(); }

    /// Returns the movement per step of the smooth mode; null away from the edge.
    [[nodiscard]] static QPointF paceAt(QPointF at, QSizeF view);

private:
    void step();

    std::function<bool(QPointF)> m_scroll;
    QTimer m_timer;
    QPointF m_pace;
    double m_stepsAtOnce = 1;
};

} // namespace sunder
