#pragma once

#include "canvas/web_page.h"
#include "support/json_writer.h"
#include "support/text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sunder::webpage {

/// Texts of a page. Each is written once, and named by its index.
class Texts final {
public:
    /// Returns the index of a text. Controls and invisible characters become visible.
    std::uint32_t operator()(std::string_view text, Lines lines = Lines::escape);
    [[nodiscard]] const std::vector<std::string>& all() const { return m_all; }

private:
    std::unordered_map<std::string, std::uint32_t> m_indices;
    std::vector<std::string> m_all;
};

/// Writes the members "bodies" and "depths" of the data.
Result<void> writeBodies(const WebPage& page, Texts& texts, JsonWriter& json, ProgressMonitor& monitor);

/// Writes the members of the cut: "parts", "crossings", "dag", "problems". O(nodes + arguments + tensors).
Result<void> writeCut(const WebPage& page, const LayoutEngine& engine, JsonWriter& json, ProgressMonitor& monitor);

/// Writes a route: the ends of a vertical or horizontal line, else all points; rounded to whole pixels.
void writeRoute(const BezierPath& path, JsonWriter& json);

/// Returns the place of a figure in the list of colors of costs: kCostSteps steps, then 0, not counted, no value.
inline constexpr int kCostSteps = 48;
int costStep(const CostColors& costs, const CostFigure& figure);

} // namespace sunder::webpage
