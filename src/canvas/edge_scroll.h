#pragma once

#include <QPointF>
#include <QSizeF>
#include <QTimer>

#include <functional>

namespace sunder {

/// Moves a view on while the mouse, with a stroke under way, is at its edge or beyond: the further, the faster. Where Motion is
/// reduced it does so in few large steps.
class EdgeScroll final {
public:
    /// `scroll` moves the picture by so many pixels; false when there is nothing more to see there.
    explicit EdgeScroll(std::function<bool(QPointF)> scroll);

    /// The mouse is there, in a view of that size.
    void follow(QPointF at, QSizeF view);
    void stop() { m_timer.stop(); }
    [[nodiscard]] bool isScrolling() const { return m_timer.isActive(); }

    /// How far the picture moves in one step of the smooth way; null away from the edge.
    [[nodiscard]] static QPointF paceAt(QPointF at, QSizeF view);

private:
    void step();

    std::function<bool(QPointF)> m_scroll;
    QTimer m_timer;
    QPointF m_pace;
    double m_stepsAtOnce = 1;
};

} // namespace sunder
