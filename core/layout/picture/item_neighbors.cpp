#include "layout/picture/item_neighbors.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace sunder {
namespace {

/// True if an item is `outer` or inside it.
bool liesIn(const Picture& picture, ItemId item, ItemId outer)
{
    for (ItemId at = item; at; at = picture.items[at.index()].parent)
        if (at == outer)
            return true;
    return false;
}

/// Returns the item and, for a frame, all nested items. Frames precede their items.
std::vector<ItemId> withAllInside(const Picture& picture, ItemId item)
{
    std::vector<ItemId> inside{item};
    if (picture.items[item.index()].kind != ItemKind::frame)
        return inside;
    for (std::size_t i = item.index() + 1; i < picture.items.size(); ++i)
        if (liesIn(picture, ItemId(i), item))
            inside.emplace_back(i);
    return inside;
}

} // namespace

ItemNeighbors neighborsOf(const ScenePicture& scene, ItemId item)
{
    const Picture& picture = *scene.picture;
    const std::vector<ItemId> inside = withAllInside(picture, item);
    std::set<ItemId> inputs;
    std::set<ItemId> readers;
    for (const ItemId at : inside) {
        for (const std::uint32_t edge : scene.tables.edgesInto(at))
            if (!liesIn(picture, picture.edges[edge].from, item))
                inputs.insert(picture.edges[edge].from);
        for (const std::uint32_t edge : scene.tables.edgesFrom(at))
            if (!liesIn(picture, picture.edges[edge].to, item))
                readers.insert(picture.edges[edge].to);
    }
    ItemNeighbors found{{inputs.begin(), inputs.end()}, {readers.begin(), readers.end()}, {}};
    std::set<std::string_view> texts;
    for (const ItemId at : inside)
        for (const Chip& chip : picture.items[at.index()].chips) {
            if (chip.kind != ChipKind::value)
                continue;
            const ItemId made = chip.value.index() < picture.itemOf.size() ? picture.itemOf[chip.value.index()] : ItemId();
            const bool isKnown = at != item && made && (liesIn(picture, made, item) || inputs.contains(made));
            if (!isKnown && texts.insert(chip.text).second)
                found.alsoRead.push_back(&chip);
        }
    return found;
}

} // namespace sunder
