#pragma once

#include "canvas/tools/canvas_tool.h"
#include "ir/node_set.h"

#include <vector>

namespace sunder {

/// Brush and eraser: from press to release takes every node whose box the round tip touches in view, each once. A press beside
/// all items, on a wire, begins a stroke along wires: it takes both ends of that one, then both ends of each wire that the tip
/// crosses and that begins or ends where one before it does.
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
    QPointF m_now;        ///< in the view, for the picture of the tip
    QPointF m_reached;    ///< in the scene, which may move under the mouse
    NodeSet m_taken;
    std::vector<ItemId> m_wireEnds; ///< of wires that were taken; empty: the stroke is no wire's
};

/// The wires that a press of a round tip there would begin with: none where the tip touches an item.
std::vector<std::uint32_t> wiresUnderTip(const CanvasSight& sight, QPointF at, double radius);

} // namespace sunder
