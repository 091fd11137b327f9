#pragma once

#include "canvas/tools/canvas_tool.h"

#include <optional>
#include <vector>

namespace sunder {

/// The closed items that were visible since a stroke started; a stroke only takes these.
class SeenItems final {
public:
    /// Starts a stroke: records the visible items.
    void begin(const ToolHost& host);
    /// Records the visible items if the view moved. O(visible items) in that case.
    void note(const ToolHost& host);
    /// Returns the recorded items in an area, in drawing order.
    [[nodiscard]] std::vector<ItemId> in(const CanvasScene& scene, const Rect& area) const;

private:
    std::optional<Camera> m_noted;
    std::vector<bool> m_seen; ///< per item
};

} // namespace sunder
