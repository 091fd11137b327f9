#pragma once

#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// Fill and wand: previews the fill from the item under the mouse, or from the current one, and executes it on a click. The owner
/// of the canvas determines its nodes.
class FillTool final : public CanvasTool {
public:
    void activate(ToolHost& host) override;
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    void hovered(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    void reached(ToolHost& host, ItemId item) override;
    bool cancel(ToolHost& host) override;
    [[nodiscard]] QCursor cursor() const override { return Qt::PointingHandCursor; }

private:
    ItemId m_pressed;
};

/// Makes the tag under the mouse the active one.
class EyedropperTool final : public CanvasTool {
public:
    void pressed(ToolHost&, const ToolEvent&) override {}
    void moved(ToolHost&, const ToolEvent&) override {}
    void released(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    [[nodiscard]] QCursor cursor() const override { return Qt::PointingHandCursor; }
};

} // namespace sunder
