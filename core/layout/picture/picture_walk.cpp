#include "layout/picture/picture_walk.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

const Item& itemOf(const ScenePicture& scene, ItemId id)
{
    return scene.picture->items[id.index()];
}

std::vector<ItemId> endsOf(const ScenePicture& scene, ItemId item, std::span<const std::uint32_t> edges,
                           ItemId PictureEdge::* end)
{
    std::vector<ItemId> ends;
    for (const std::uint32_t edge : edges)
        ends.push_back(scene.picture->edges[edge].*end);
    const float x = itemOf(scene, item).rect.center().x;
    std::stable_sort(ends.begin(), ends.end(), [&](ItemId a, ItemId b) {
        return std::abs(itemOf(scene, a).rect.center().x - x) < std::abs(itemOf(scene, b).rect.center().x - x);
    });
    std::vector<ItemId> once;
    for (const ItemId id : ends)
        if (std::find(once.begin(), once.end(), id) == once.end())
            once.push_back(id);
    return once;
}

bool isWalkable(const ScenePicture& scene, ItemId candidate, ItemId from)
{
    return candidate != from && itemOf(scene, candidate).kind != ItemKind::frame;
}

/// The nearest item that lies in a direction, (dx, dy) a unit vector along one axis; across the axis counts thrice.
/// Sideways only items that overlap in height are neighbours of the same rank.
ItemId nearestTowards(const ScenePicture& scene, ItemId from, float dx, float dy)
{
    const Rect& start = itemOf(scene, from).rect;
    ItemId best;
    float bestCost = 0;
    for (std::uint32_t i = 0; i < scene.picture->items.size(); ++i) {
        if (!isWalkable(scene, ItemId(i), from))
            continue;
        const Rect& rect = scene.picture->items[i].rect;
        const float alongX = rect.center().x - start.center().x;
        const float alongY = rect.center().y - start.center().y;
        const float along = alongX * dx + alongY * dy;
        if (along <= 0.5F)
            continue;
        if (dy == 0 && (rect.bottom() <= start.y || rect.y >= start.bottom()))
            continue;
        const float across = std::abs(alongX * dy) + std::abs(alongY * dx);
        const float cost = along + 3 * across;
        if (!best || cost < bestCost) {
            best = ItemId(i);
            bestCost = cost;
        }
    }
    return best;
}

ItemId outermost(const ScenePicture& scene, bool last)
{
    ItemId found;
    for (std::uint32_t i = 0; i < scene.picture->items.size(); ++i) {
        const Item& item = scene.picture->items[i];
        if (item.kind == ItemKind::frame)
            continue;
        const bool better = !found
            || (last ? item.rect.y > itemOf(scene, found).rect.y : item.rect.y < itemOf(scene, found).rect.y);
        if (better)
            found = ItemId(i);
    }
    return found;
}

} // namespace

std::vector<ItemId> producersOf(const ScenePicture& scene, ItemId item)
{
    return endsOf(scene, item, scene.tables.edgesInto(item), &PictureEdge::from);
}

std::vector<ItemId> consumersOf(const ScenePicture& scene, ItemId item)
{
    return endsOf(scene, item, scene.tables.edgesFrom(item), &PictureEdge::to);
}

ItemId walk(const ScenePicture& scene, ItemId from, WalkDirection direction)
{
    if (scene.picture->items.empty())
        return {};
    if (!from || direction == WalkDirection::first)
        return outermost(scene, false);
    switch (direction) {
    case WalkDirection::producer: {
        const std::vector<ItemId> ends = producersOf(scene, from);
        return ends.empty() ? nearestTowards(scene, from, 0, -1) : ends.front();
    }
    case WalkDirection::consumer: {
        const std::vector<ItemId> ends = consumersOf(scene, from);
        return ends.empty() ? nearestTowards(scene, from, 0, 1) : ends.front();
    }
    case WalkDirection::left: return nearestTowards(scene, from, -1, 0);
    case WalkDirection::right: return nearestTowards(scene, from, 1, 0);
    case WalkDirection::first:
    case WalkDirection::last: break;
    }
    return outermost(scene, true);
}

} // namespace sunder
