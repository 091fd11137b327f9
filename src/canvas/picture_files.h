#pragma once

#include "canvas/picture_export.h"
#include "layout/picture/picture_pages.h"

#include <string>
#include <vector>

namespace sunder {

/// The files to write for a picture exported to one path.
struct PictureFiles {
    struct Part {
        std::string path;
        PictureExportOptions options; ///< with its area and scale
    };
    std::vector<Part> parts;  ///< the first one has the requested path
    std::string indexPath;    ///< path of an HTML page with all tiles; empty: no tiles
    std::string indexHtml;
    double tileScale = 1; ///< scale of the tiles: less than requested if there would be too many
};

/// Returns one file or, for a PNG that exceeds the maximum size, an overview at the largest scale that is quick to view, tiles at
/// the requested scale as "NAME-2-1.png" (row, column), and "NAME.html" to view them. Tiles are split between boxes if possible.
/// There are at most 256, at a smaller scale if necessary. O(items log items).
PictureFiles filesOfPicture(const Picture& picture, const std::string& path, const PictureExportOptions& options = {});

} // namespace sunder
