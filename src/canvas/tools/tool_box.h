#pragma once

#include "canvas/tools/canvas_tool.h"

#include <array>
#include <memory>

namespace sunder {

/// The tools of a canvas: the one that is chosen, and the one that has the mouse from press to release.
class ToolBox final {
public:
    /// The tools work on `host`, which outlives them.
    explicit ToolBox(ToolHost& host);

    [[nodiscard]] ToolKind chosen() const { return m_chosen; }
    /// Another tool; what the one before had under way is given up. False when it is chosen already.
    bool choose(ToolKind kind);

    /// The left button, with Shift for selecting, with Alt for the eyedropper in place of brush and eraser; false: the press is
    /// for no tool.
    bool press(Qt::MouseButton button, const ToolEvent& event);
    [[nodiscard]] bool isPressed() const { return m_pressed != nullptr; }
    /// With a button down or without.
    void move(const ToolEvent& event);
    void release(const ToolEvent& event);
    /// What a click on the item would do, by a key; false when the tool does nothing to items.
    bool use(ItemId item) { return tool(m_chosen).used(m_host, item); }
    /// Keys have made the item the current one.
    void reach(ItemId item) { tool(m_chosen).reached(m_host, item); }
    /// The tool that has the mouse wants the view to move on where the mouse comes to its edge.
    [[nodiscard]] bool scrollsAtEdge() const { return m_pressed != nullptr && m_pressed->scrollsAtEdge(); }
    /// Gives up what is under way; false when there was nothing.
    bool cancel();
    /// The same for a press alone, when what it is about is gone.
    void abandonPress();

    /// Of the tool that has the mouse; nothing when none has it.
    [[nodiscard]] std::optional<QCursor> pressedCursor() const;
    [[nodiscard]] QCursor chosenCursor() const { return tool(m_chosen).cursor(); }
    /// What the tool shows over the picture.
    void paint(QPainter& painter) const;

private:
    [[nodiscard]] CanvasTool& tool(ToolKind kind) const { return *m_tools[static_cast<std::size_t>(kind)]; }

    ToolHost& m_host;
    std::array<std::unique_ptr<CanvasTool>, kToolCount> m_tools; ///< by ToolKind
    ToolKind m_chosen = ToolKind::select;
    CanvasTool* m_pressed = nullptr;
};

} // namespace sunder
