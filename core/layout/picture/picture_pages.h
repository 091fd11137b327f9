#pragma once

#include "layout/picture/picture.h"

#include <vector>

namespace sunder {

/// A rectangle of the picture that is a page or tile of its own.
struct PicturePage {
    Rect area;             ///< of the picture
    std::uint32_t row = 0; ///< place in the grid of pages
    std::uint32_t column = 0;
};

/// Divides an area of a picture into pages of at most that size, by rows from the top. Borders lie between columns and boxes
/// as far as there is such a place in the last third of a page; edges and frames go on across them. One page where all fits.
/// O(items log items).
std::vector<PicturePage> pagesOf(const Picture& picture, const Rect& area, Size page);

} // namespace sunder
