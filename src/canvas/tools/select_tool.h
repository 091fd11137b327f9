#pragma once

#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// Click selects, Ctrl+click toggles, drag pans, Shift+drag selects the items that a rectangle touches.
class SelectTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    bool cancel(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] bool scrollsAtEdge() const override { return m_state == State::rectangle; }

private:
    enum class State : std::uint8_t { idle, pressed, panning, rectangle };

    [[nodiscard]] QRectF band(const ToolHost& host) const;
    void click(ToolHost& host, const ToolEvent& event);

    State m_state = State::idle;
    QPointF m_start;
    QPointF m_now;
    QPointF m_corner; ///< of the rectangle, in the scene, which can move under the mouse
    Camera m_startCamera;
};

} // namespace sunder
