#pragma once

#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// Pans the view.
class PanTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override
    {
        m_start = event.view;
        m_startCamera = host.camera();
        m_held = true;
    }
    void moved(ToolHost& host, const ToolEvent& event) override
    {
        if (m_held)
            host.panFrom(m_startCamera, event.view - m_start);
    }
    void released(ToolHost&, const ToolEvent&) override { m_held = false; }
    [[nodiscard]] QCursor cursor() const override { return m_held ? Qt::ClosedHandCursor : Qt::OpenHandCursor; }

private:
    QPointF m_start;
    Camera m_startCamera;
    bool m_held = false;
};

} // namespace sunder
