#pragma once

#include "canvas/tools/seen_items.h"

namespace sunder {

/// Drags a rectangle. On release, all items that it touches and that were visible get the active tag in one stroke, or lose their
/// tags with Alt. A click takes the item under it.
class RectangleTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    bool cancel(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] bool scrollsAtEdge() const override { return true; }
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    [[nodiscard]] Rect area() const;
    [[nodiscard]] std::vector<NodeId> taken(const ToolHost& host) const;

    bool m_active = false;
    StrokeKind m_kind = StrokeKind::paint;
    QPointF m_start; ///< in the scene, which can move under the mouse
    QPointF m_now; ///< likewise
    SeenItems m_seen;
};

} // namespace sunder
