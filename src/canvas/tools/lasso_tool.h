#pragma once

#include "canvas/tools/seen_items.h"

#include <QPolygonF>

namespace sunder {

/// Draws a freehand line around items. On release, the enclosed items (by their centers) that were visible get the active tag in
/// one stroke, or lose their tags with Alt. A click takes the item under it.
class LassoTool final : public CanvasTool {
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
    void addPoint(const ToolHost& host, QPointF view);
    [[nodiscard]] std::vector<ItemId> enclosed(const ToolHost& host) const;

    bool m_active = false;
    StrokeKind m_kind = StrokeKind::paint;
    QPolygonF m_line; ///< in the scene
    double m_step = 0; ///< minimum distance between two points, in view pixels
    SeenItems m_seen;
};

} // namespace sunder
