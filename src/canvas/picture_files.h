#pragma once

#include "canvas/picture_export.h"
#include "layout/picture/picture_pages.h"

#include <string>
#include <vector>

namespace sunder {

/// What is written for a picture that is asked for at one path.
struct PictureFiles {
    struct Part {
        std::string path;
        PictureExportOptions options; ///< its area and scale
    };
    std::vector<Part> parts;  ///< the first is at the path that was asked for
    std::string indexPath;    ///< of a page that shows the tiles side by side; empty: there are none
    std::string indexHtml;
    double tileScale = 1; ///< of the tiles: less than was asked for where these would be too many
};

/// One file; of a PNG that would have more pixels than one may have, the whole at the largest scale that is quickly looked at,
/// and beside it tiles at the scale that was asked for, "NAME-2-1.png" (row, column), with "NAME.html" to look at them. Tiles
/// end between boxes where they can; there are at most 256, at a smaller scale where that takes it. O(items log items).
PictureFiles filesOfPicture(const Picture& picture, const std::string& path, const PictureExportOptions& options = {});

} // namespace sunder
