#pragma once

#include "canvas/tools/canvas_tool.h"

#include <array>
#include <memory>

namespace sunder {

/// The tools of a canvas: the active one, and the one that has the mouse from press to release.
class ToolBox final {
public:
    /// The tools work on `host`, which must outlive them.
    explicit ToolBox(ToolHost& host);

    [[nodiscard]] ToolKind chosen() const { return m_chosen; }
    /// Activates another tool and cancels the current action. Returns false if it is active already.
    bool choose(ToolKind kind);

    /// Handles the left button: with Shift as select tool, with Alt as eyedropper instead of brush and eraser. Returns false if
    /// no tool handles the press.
    bool press(Qt::MouseButton button, const ToolEvent& event);
    [[nodiscard]] bool isPressed() const { return m_pressed != nullptr; }
    /// With or without a button pressed.
    void move(const ToolEvent& event);
    void release(const ToolEvent& event);
    /// Applies the tool to the item by keyboard, as a click does; returns false if the tool does not act on items.
    bool use(ItemId item) { return tool(m_chosen).used(m_host, item); }
    /// Called when the item became current by keyboard.
    void reach(ItemId item) { tool(m_chosen).reached(m_host, item); }
    /// Returns whether the tool that has the mouse scrolls the view at its edge.
    [[nodiscard]] bool scrollsAtEdge() const { return m_pressed != nullptr && m_pressed->scrollsAtEdge(); }
    /// Cancels the current action; returns false if there is none.
    bool cancel();
    /// Cancels a press whose subject no longer exists.
    void abandonPress();

    /// Returns the cursor of the tool that has the mouse; nothing if none has it.
    [[nodiscard]] std::optional<QCursor> pressedCursor() const;
    [[nodiscard]] QCursor chosenCursor() const { return tool(m_chosen).cursor(); }
    /// Paints the tool's overlay.
    void paint(QPainter& painter) const;

private:
    [[nodiscard]] CanvasTool& tool(ToolKind kind) const { return *m_tools[static_cast<std::size_t>(kind)]; }

    ToolHost& m_host;
    std::array<std::unique_ptr<CanvasTool>, kToolCount> m_tools; ///< by ToolKind
    ToolKind m_chosen = ToolKind::select;
    CanvasTool* m_pressed = nullptr;
};

} // namespace sunder
