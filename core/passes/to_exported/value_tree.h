#pragma once

#include "ir/argument.h"
#include "ir/tree_spec.h"

#include <optional>
#include <string>

namespace sunder {

/// True for the containers that pytree takes apart: lists, tuples, and dicts whose keys are texts.
bool isTree(const Argument& value);
/// How a value is nested; all that is no tree is a leaf.
TreeSpec treeSpecOf(const Argument& value);
/// What stands at a key of a tree: an item by its number, counted from the end where negative, or by its text.
std::optional<Argument> itemAt(const Argument& tree, const Argument& key);

/// Calls `visit` with every leaf of a tree, in the order of its spec.
template <typename Visit>
void forEachLeaf(const Argument& value, const Visit& visit)
{
    if (!isTree(value))
        return visit(value);
    for (const Argument& item : value.items())
        forEachLeaf(item, visit);
}

/// The same tree with other leaves: `replace(leaf, path)`, where `path` names its place behind that of the tree.
template <typename Replace>
Argument mapLeaves(const Argument& value, const std::string& path, const Replace& replace)
{
    if (!isTree(value))
        return replace(value, path);
    Arguments items;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        const bool hasKey = value.is(ArgumentKind::dict);
        items.push_back(
            mapLeaves(value.items()[i], path + "_" + (hasKey ? value.keys()[i].text().str() : std::to_string(i)), replace));
    }
    return value.withItems(std::move(items));
}

} // namespace sunder
