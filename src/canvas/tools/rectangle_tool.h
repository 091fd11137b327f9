#pragma once

#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// Drags a rectangle; on release everything that it touches gets the active tag in one stroke, with Alt loses its
/// tag. A click takes the one item under it.
class RectangleTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    bool cancel(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    [[nodiscard]] QRectF rect() const { return QRectF(m_start, m_now).normalized(); }

    bool m_active = false;
    StrokeKind m_kind = StrokeKind::paint;
    QPointF m_start;
    QPointF m_now;
};

} // namespace sunder
