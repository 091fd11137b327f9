#pragma once

#include "analysis/cost/cost_figures.h"
#include "analysis/schedule/planned_schedule.h"
#include "cli/command.h"
#include "ir/program.h"
#include "layout/picture/picture.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::cli {

/// Meaning of the colors of a picture.
enum class ColorBy : std::uint8_t { tag, op, module, partition, region, flops, bytes, seconds, data };

struct DrawingOptions {
    std::set<std::string> expand; ///< paths to open in addition to the default ones
    bool expandAll = false;
    bool showAssertions = false; ///< also show unused ops
    ColorBy colorBy = ColorBy::tag;
    bool dark = false;
    std::uint32_t columns = 0; ///< number of columns for a tall picture; 0: as many as fit best
    FlowDirection direction = FlowDirection::down;
    double scale = 1;
};

/// Costs that color a picture.
struct DrawnCosts {
    CostFiguresPtr figures;
    std::string lowText; ///< ends of the scale, with unit
    std::string highText;
};

struct DrawnFiles {
    /// The requested path, or the tiles of a PNG that would be too large and the page that shows them
    std::vector<std::string> paths;
    double tileScale = 1; ///< scale of the tiles
    std::optional<DrawnCosts> costs = {}; ///< if costs color the picture
};

/// Returns whether a file with this name is a picture.
bool isPicture(std::string_view path);

/// Returns whether it is a web page, which only `render` writes.
bool isWebPage(std::string_view path);

/// What draws pictures. It needs Qt Gui, which takes most of the time that a short command runs. So sunder-cli does not load it, and
/// becomes the program sunder-draw when its command line names a picture.
struct Drawing {
    /// Draws the root graph to a picture or a web page; timed as "pass" (layout) and "write".
    Result<DrawnFiles> (*model)(const Invocation& invocation, const Program& program, const std::string& path,
                                const DrawingOptions& options);
    /// Draws a timetable to a picture, with a lane per rank.
    Result<void> (*timeline)(const Invocation& invocation, const PlannedSchedule& plan, const std::string& path, bool isDark);
};

/// Returns what draws for this command, or an error in a program that cannot.
Result<const Drawing*> drawingOf(const Invocation& invocation);

} // namespace sunder::cli
