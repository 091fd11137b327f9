#include "layout/layered/layered_packing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::layered {

std::vector<Point> packParts(const std::vector<Size>& sizes, float gap)
{
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a].height > sizes[b].height; });
    double area = 0;
    float widest = 0;
    for (const Size& size : sizes) {
        area += double{size.width + gap} * double{size.height + gap};
        widest = std::max(widest, size.width);
    }
    const float rowWidth = std::max(widest, static_cast<float>(std::sqrt(area) * 1.3));

    std::vector<Point> corners(sizes.size());
    Point column;              // start of the current column
    float columnWidth = 0;
    float rowHeight = 0;       // height of the first (tallest) part of the row
    float y = 0;               // next free position in the column
    for (const std::size_t part : order) {
        const Size size = sizes[part];
        const bool startsRow = rowHeight == 0;
        if (!startsRow && y + size.height > column.y + rowHeight) {
            column.x += columnWidth + gap;
            columnWidth = 0;
            y = column.y;
            if (column.x + size.width > rowWidth) {
                column = {0, column.y + rowHeight + gap};
                y = column.y;
                rowHeight = 0;
            }
        }
        if (rowHeight == 0)
            rowHeight = std::max(size.height, 1.0F);
        corners[part] = {column.x, y};
        columnWidth = std::max(columnWidth, size.width);
        y += size.height + gap;
    }
    return corners;
}

} // namespace sunder::layered
