#pragma once

#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// Brush and eraser: from press to release takes every node whose box the round tip touches, each once.
class StrokeTool final : public CanvasTool {
public:
    explicit StrokeTool(StrokeKind kind) : m_kind(kind) {}

    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    void hovered(ToolHost& host, const ToolEvent& event) override;
    bool cancel(ToolHost& host) override;
    void deactivate(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    void take(ToolHost& host, const std::vector<NodeId>& nodes);
    void takeAlong(ToolHost& host, QPointF from, QPointF to);

    StrokeKind m_kind;
    bool m_active = false;
    bool m_shown = false;
    QPointF m_now;
    NodeSet m_taken;
};

} // namespace sunder
