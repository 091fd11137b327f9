#include "export/picture_area.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr float kPictureMargin = 24;

} // namespace

std::optional<Rect> areaOf(const Picture& picture, const NodeSet& nodes)
{
    std::optional<Rect> area;
    for (const Item& item : picture.items) {
        const bool isShown = item.kind != ItemKind::frame
            && std::any_of(item.nodes.begin(), item.nodes.end(), [&](NodeId node) { return nodes.contains(node); });
        if (!isShown)
            continue;
        if (!area) {
            area = item.rect;
            continue;
        }
        const float right = std::max(area->x + area->width, item.rect.x + item.rect.width);
        const float bottom = std::max(area->y + area->height, item.rect.y + item.rect.height);
        area->x = std::min(area->x, item.rect.x);
        area->y = std::min(area->y, item.rect.y);
        area->width = right - area->x;
        area->height = bottom - area->y;
    }
    if (area)
        *area = {area->x - kPictureMargin, area->y - kPictureMargin, area->width + 2 * kPictureMargin,
                 area->height + 2 * kPictureMargin};
    return area;
}

} // namespace sunder
