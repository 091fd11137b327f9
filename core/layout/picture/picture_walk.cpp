#include "layout/picture/picture_walk.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

const Item& itemOf(const ScenePicture& scene, ItemId id)
{
    return scene.picture->items[id.index()];
}

bool isRight(const ScenePicture& scene)
{
    return scene.picture->direction == FlowDirection::right;
}

/// Coordinates along and across the direction of edges.
float alongOf(const ScenePicture& scene, Point point)
{
    return isRight(scene) ? point.x : point.y;
}

float acrossOf(const ScenePicture& scene, Point point)
{
    return isRight(scene) ? point.y : point.x;
}

std::vector<ItemId> endsOf(const ScenePicture& scene, ItemId item, std::span<const std::uint32_t> edges,
                           ItemId PictureEdge::* end)
{
    std::vector<ItemId> ends;
    for (const std::uint32_t edge : edges)
        ends.push_back(scene.picture->edges[edge].*end);
    const float place = acrossOf(scene, itemOf(scene, item).rect.center());
    const auto away = [&](ItemId other) { return std::abs(acrossOf(scene, itemOf(scene, other).rect.center()) - place); };
    std::stable_sort(ends.begin(), ends.end(), [&](ItemId a, ItemId b) { return away(a) < away(b); });
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

/// Returns the nearest item up (-1) or down (1) the flow, or to either side of it; distances along the other axis count three
/// times. Sideways, only items that overlap along the flow are neighbors of the same rank.
ItemId nearestTowards(const ScenePicture& scene, ItemId from, bool isSideways, float sign)
{
    const Rect& start = itemOf(scene, from).rect;
    const bool isAlongX = isSideways != isRight(scene);
    ItemId best;
    float bestCost = 0;
    for (std::uint32_t i = 0; i < scene.picture->items.size(); ++i) {
        if (!isWalkable(scene, ItemId(i), from))
            continue;
        const Rect& rect = scene.picture->items[i].rect;
        const float x = rect.center().x - start.center().x;
        const float y = rect.center().y - start.center().y;
        const float towards = (isAlongX ? x : y) * sign;
        const bool overlaps = isAlongX ? rect.bottom() > start.y && rect.y < start.bottom()
                                       : rect.right() > start.x && rect.x < start.right();
        if (towards <= 0.5F || (isSideways && !overlaps))
            continue;
        const float cost = towards + 3 * std::abs(isAlongX ? y : x);
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
    float place = 0;
    for (std::uint32_t i = 0; i < scene.picture->items.size(); ++i) {
        const Item& item = scene.picture->items[i];
        if (item.kind == ItemKind::frame)
            continue;
        const float here = alongOf(scene, {item.rect.x, item.rect.y});
        if (!found || (last ? here > place : here < place)) {
            found = ItemId(i);
            place = here;
        }
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
        return ends.empty() ? nearestTowards(scene, from, false, -1) : ends.front();
    }
    case WalkDirection::consumer: {
        const std::vector<ItemId> ends = consumersOf(scene, from);
        return ends.empty() ? nearestTowards(scene, from, false, 1) : ends.front();
    }
    case WalkDirection::before: return nearestTowards(scene, from, true, -1);
    case WalkDirection::behind: return nearestTowards(scene, from, true, 1);
    case WalkDirection::first:
    case WalkDirection::last: break;
    }
    return outermost(scene, true);
}

} // namespace sunder
