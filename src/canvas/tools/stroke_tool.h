#pragma once

#include "canvas/tools/canvas_tool.h"
#include "ir/node_set.h"

#include <vector>

namespace sunder {

/// Brush and eraser: from press to release, takes each node once whose visible box the round tip touches. A press on an edge,
/// outside all items, starts a stroke along edges: it takes both ends of that edge, then both ends of each crossed edge that
/// shares an end with a taken one.
class StrokeTool final : public CanvasTool {
public:
    explicit StrokeTool(StrokeKind kind) : m_kind(kind) {}

    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    void hovered(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    bool cancel(ToolHost& host) override;
    void deactivate(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] bool scrollsAtEdge() const override { return true; }
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    void takeOver(ToolHost& host, QPointF view);
    void takeAlong(ToolHost& host, QPointF from, QPointF to);
    void takeWires(ToolHost& host, QPointF from, QPointF to);
    void takeWire(const ToolHost& host, std::uint32_t edge, std::vector<NodeId>& nodes);
    void take(ToolHost& host, const std::vector<NodeId>& nodes);

    StrokeKind m_kind;
    bool m_active = false;
    bool m_shown = false; ///< the mouse is over the canvas
    QPointF m_now;        ///< in the view, for painting the tip
    QPointF m_reached;    ///< in the scene, which can move under the mouse
    NodeSet m_taken;
    std::vector<ItemId> m_wireEnds; ///< ends of taken edges; empty: not a stroke along edges
};

/// Returns the edges with which a press of a round tip would start; empty if the tip touches an item.
std::vector<std::uint32_t> wiresUnderTip(const CanvasSight& sight, QPointF at, double radius);

} // namespace sunder
