#pragma once

#include "cli/drawing_groups.h"
#include "ir/program.h"
#include "layout/picture/picture.h"

#include <set>
#include <string>
#include <vector>

namespace sunder::cli {

struct DrawingOptions {
    std::set<std::string> expand; ///< paths to open beside those that are open at first
    bool expandAll = false;
    bool showAssertions = false; ///< and calls whose results nobody uses
    ColorBy colorBy = ColorBy::tag;
    bool dark = false;
    std::uint32_t columns = 0; ///< what is too high is set in so many columns; 0: as many as fit it best
    FlowDirection direction = FlowDirection::down;
    double scale = 1;
};

struct DrawnFiles {
    /// `path`, and for a PNG that would be too large its tiles and the page that shows them.
    std::vector<std::string> paths;
    double tileScale = 1; ///< of the tiles
};

/// Draws the root graph to .svg, .png or .pdf, booked as "pass" (layout) and "write".
Result<DrawnFiles> draw(const Invocation& invocation, const Program& program, const std::string& path,
                        const DrawingOptions& options);

} // namespace sunder::cli
