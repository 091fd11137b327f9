#include "layout/picture/isolation.h"

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

namespace sunder::collapse {
namespace {

Index shownIndex(const Picture& picture, NodeId node)
{
    const ItemId item = node.isValid() && node.index() < picture.itemOf.size() ? picture.itemOf[node.index()] : ItemId();
    return item ? item.index() : kNone;
}

/// Returns for each item whether it is kept.
std::vector<bool> kept(const std::vector<NodeId>& wanted, const Collapsed& items, const ValueFlow& flow, const Picture& picture)
{
    std::vector<bool> isWanted(items.entries.size(), false);
    for (const NodeId node : wanted)
        if (const Index item = shownIndex(picture, node); item != kNone)
            isWanted[item] = true;
    std::vector<bool> isKept = isWanted;
    const auto join = [&](Index from, Index to) {
        if (from == kNone)
            return;
        if (isWanted[to])
            isKept[from] = true;
        if (isWanted[from])
            isKept[to] = true;
    };
    for (const Dependency& dependency : flow.dependencies)
        join(dependency.from, dependency.to);
    for (Index item = 0; item < flow.chips.size(); ++item)
        for (const NodeId value : flow.chips[item])
            join(shownIndex(picture, value), item);
    for (std::size_t item = items.entries.size(); item-- > 0;) // frames precede their items
        if (const Index parent = items.entries[item].parent; isKept[item] && parent != kNone)
            isKept[parent] = true;
    return isKept;
}

/// Returns the new index of each item; kNone for removed items.
std::vector<Index> renumbered(const std::vector<bool>& isKept)
{
    std::vector<Index> places(isKept.size(), kNone);
    Index next = 0;
    for (std::size_t i = 0; i < isKept.size(); ++i)
        if (isKept[i])
            places[i] = next++;
    return places;
}

void renumber(std::vector<Index>& list, const std::vector<Index>& places)
{
    std::erase_if(list, [&](Index item) { return places[item] == kNone; });
    for (Index& item : list)
        item = places[item];
}

/// Removes the values of removed items from a vector with one value per item.
template <typename T>
void keep(std::vector<T>& perItem, const std::vector<Index>& places)
{
    for (std::size_t i = 0; i < perItem.size(); ++i)
        if (places[i] != kNone && places[i] != i)
            perItem[places[i]] = std::move(perItem[i]);
    perItem.resize(static_cast<std::size_t>(std::ranges::count_if(places, [](Index place) { return place != kNone; })));
}

void prune(Picture& picture, const std::vector<Index>& places)
{
    for (ItemId& item : picture.itemOf)
        if (item)
            item = places[item.index()] == kNone ? ItemId() : ItemId(places[item.index()]);
    keep(picture.items, places);
    for (Item& item : picture.items) {
        if (item.parent)
            item.parent = ItemId(places[item.parent.index()]);
        if (item.kind == ItemKind::frame)
            std::erase_if(item.nodes, [&](NodeId node) { return shownIndex(picture, node) == kNone; });
    }
}

} // namespace

Isolated isolate(const std::vector<NodeId>& wanted, const Collapsed& items, const ValueFlow& flow, Picture& picture)
{
    const std::vector<Index> places = renumbered(kept(wanted, items, flow, picture));
    Isolated left{items, flow};
    keep(left.items.entries, places);
    for (Entry& entry : left.items.entries) {
        entry.parent = entry.parent == kNone ? kNone : places[entry.parent];
        renumber(entry.children, places);
    }
    renumber(left.items.roots, places);
    std::erase_if(left.flow.dependencies, [&](const Dependency& dependency) {
        return places[dependency.from] == kNone || places[dependency.to] == kNone;
    });
    for (Dependency& dependency : left.flow.dependencies) {
        dependency.from = places[dependency.from];
        dependency.to = places[dependency.to];
    }
    keep(left.flow.chips, places);
    keep(left.flow.widest, places);
    prune(picture, places);
    return left;
}

} // namespace sunder::collapse
