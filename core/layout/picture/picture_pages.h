#pragma once

#include "layout/picture/picture.h"

#include <vector>

namespace sunder {

/// A rectangle of the picture that forms one page or tile.
struct PicturePage {
    Rect area;             ///< of the picture
    std::uint32_t row = 0; ///< position in the grid of pages
    std::uint32_t column = 0;
};

/// Divides an area of a picture into pages of at most the given size, by rows from the top. Borders are placed between columns
/// and boxes if there is a gap in the last third of a page; edges and frames continue across borders. One page if the whole area
/// fits. O(items log items).
std::vector<PicturePage> pagesOf(const Picture& picture, const Rect& area, Size page);

} // namespace sunder
