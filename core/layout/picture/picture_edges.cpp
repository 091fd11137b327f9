#include "layout/picture/picture_edges.h"

#include <algorithm>

namespace sunder {
namespace {

ItemId shownBy(const Picture& picture, NodeId node)
{
    return node.isValid() && node.index() < picture.itemOf.size() ? picture.itemOf[node.index()] : ItemId();
}

bool isChipFor(const Chip& chip, ItemId end, const Picture& picture)
{
    const auto isThere = [&](NodeId node) { return shownBy(picture, node) == end; };
    return isThere(chip.value) || std::ranges::any_of(chip.more, isThere);
}

} // namespace

std::vector<ValueBetween> carriedBy(const Graph& graph, const Picture& picture, const PictureEdge& edge)
{
    std::vector<ValueBetween> carried;
    for (const NodeId value : edge.values)
        carried.push_back(valueBetween(graph, value, [&](NodeId user) { return shownBy(picture, user) == edge.to; }));
    return carried;
}

std::int64_t edgeWith(const ScenePicture& scene, const EdgeEnds& ends)
{
    const ItemId to = shownBy(*scene.picture, ends.reader);
    if (!to)
        return -1;
    for (const std::uint32_t edge : scene.tables.edgesInto(to))
        if (std::ranges::find(scene.picture->edges[edge].values, ends.value) != scene.picture->edges[edge].values.end())
            return edge;
    return -1;
}

std::vector<std::uint32_t> edgesAt(const ScenePicture& scene, ItemId item)
{
    std::vector<std::uint32_t> edges;
    const auto add = [&](std::span<const std::uint32_t> more, ItemId PictureEdge::* end) {
        std::vector<std::uint32_t> sorted(more.begin(), more.end());
        std::ranges::stable_sort(
            sorted, {}, [&](std::uint32_t edge) { return scene.tables.rectOf(scene.picture->edges[edge].*end).center().x; });
        edges.insert(edges.end(), sorted.begin(), sorted.end());
    };
    add(scene.tables.edgesInto(item), &PictureEdge::from);
    add(scene.tables.edgesFrom(item), &PictureEdge::to);
    return edges;
}

std::vector<std::uint32_t> cutEdgesOf(const ScenePicture& scene, ItemId item, const Chip& chip)
{
    std::vector<std::uint32_t> edges;
    if (chip.kind == ChipKind::value)
        return edges;
    const bool comes = chip.kind == ChipKind::comesFrom;
    for (const std::uint32_t edge : comes ? scene.tables.edgesInto(item) : scene.tables.edgesFrom(item)) {
        const PictureEdge& drawn = scene.picture->edges[edge];
        if (drawn.isCut && isChipFor(chip, comes ? drawn.from : drawn.to, *scene.picture))
            edges.push_back(edge);
    }
    return edges;
}

} // namespace sunder
