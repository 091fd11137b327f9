#include "layout/picture/picture_pages.h"

#include "layout/picture/picture_index.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

/// The range of a box along one axis.
struct Reach {
    float begin = 0;
    float end = 0;
};

/// Merges ranges that touch; ascending.
std::vector<Reach> merged(std::vector<Reach> reaches)
{
    std::sort(reaches.begin(), reaches.end(), [](const Reach& a, const Reach& b) { return a.begin < b.begin; });
    std::vector<Reach> result;
    for (const Reach& reach : reaches) {
        if (result.empty() || reach.begin > result.back().end)
            result.push_back(reach);
        else
            result.back().end = std::max(result.back().end, reach.end);
    }
    return result;
}

/// Returns the borders of pages of at most `length`: in the middle of the last gap between boxes, else at the full length.
std::vector<float> bordersOf(const std::vector<Reach>& boxes, float begin, float end, float length)
{
    std::vector<float> borders{begin};
    std::size_t next = 0; // first box that may end after the last border
    while (borders.back() + length < end) {
        const float full = borders.back() + length;
        float border = full;
        for (; next < boxes.size() && boxes[next].end < full; ++next) {
            const float gapEnd = next + 1 < boxes.size() ? boxes[next + 1].begin : end;
            const float middle = std::min((boxes[next].end + gapEnd) / 2, full);
            if (middle > borders.back() + length * 2 / 3)
                border = middle;
        }
        borders.push_back(border);
        next = 0;
        while (next < boxes.size() && boxes[next].end <= border)
            ++next;
    }
    borders.push_back(end);
    return borders;
}

} // namespace

std::vector<PicturePage> pagesOf(const Picture& picture, const Rect& area, Size page)
{
    std::vector<Reach> across;
    std::vector<Reach> down;
    for (const Item& item : picture.items) {
        if (item.kind == ItemKind::frame)
            continue;
        Rect box = item.rect;
        for (const Chip& chip : item.chips)
            box = united(box, chip.rect);
        across.push_back({box.x, box.right()});
        down.push_back({box.y, box.bottom()});
    }
    const std::vector<float> columns = bordersOf(merged(std::move(across)), area.x, area.right(), page.width);
    const std::vector<float> rows = bordersOf(merged(std::move(down)), area.y, area.bottom(), page.height);
    std::vector<PicturePage> pages;
    for (std::uint32_t row = 0; row + 1 < rows.size(); ++row) {
        for (std::uint32_t column = 0; column + 1 < columns.size(); ++column) {
            const Rect at{columns[column], rows[row], columns[column + 1] - columns[column], rows[row + 1] - rows[row]};
            pages.push_back({at, row, column});
        }
    }
    return pages;
}

} // namespace sunder
