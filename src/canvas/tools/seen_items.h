#pragma once

#include "canvas/tools/canvas_tool.h"

#include <optional>
#include <vector>

namespace sunder {

/// The closed items that were in view since a stroke began: a stroke takes none that nobody saw.
class SeenItems final {
public:
    /// The stroke begins: what is in view is seen.
    void begin(const ToolHost& host);
    /// The view may have moved. Costs what is in view, when it has.
    void note(const ToolHost& host);
    /// Those of the closed items in an area that were seen, in drawing order.
    [[nodiscard]] std::vector<ItemId> in(const CanvasScene& scene, const Rect& area) const;

private:
    std::optional<Camera> m_noted;
    std::vector<bool> m_seen; ///< per item
};

} // namespace sunder
