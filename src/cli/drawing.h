#pragma once

#include "canvas/cost_colors.h"
#include "cli/command.h"
#include "ir/program.h"
#include "layout/picture/picture.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sunder::cli {

/// Meaning of the colors of a picture.
enum class ColorBy : std::uint8_t { tag, op, module, partition, region, flops, bytes, seconds, data };

/// Parses --color-by. Refuses missing options, and options that do not apply.
Result<ColorBy> colorByOf(const Invocation& invocation);

/// --color-by and the options for partitions, regions, and costs.
std::vector<CommandOption> colorOptions();

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

struct DrawnFiles {
    /// `path`, or the tiles of a PNG that would be too large and the page that shows them
    std::vector<std::string> paths;
    double tileScale = 1; ///< scale of the tiles
    std::optional<CostColors> costs = {}; ///< if costs color the picture
};

/// Draws the root graph to .svg, .png, or .pdf; timed as "pass" (layout) and "write".
Result<DrawnFiles> draw(const Invocation& invocation, const Program& program, const std::string& path,
                        const DrawingOptions& options);

} // namespace sunder::cli
