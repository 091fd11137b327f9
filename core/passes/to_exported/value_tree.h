#pragma once

#include "ir/argument.h"
#include "ir/tree_spec.h"

#include <optional>
#include <string>

namespace sunder {

/// True for containers that pytree flattens here: lists, tuples, and dicts with string keys.
bool isTree(const Argument& value);
/// Returns the nesting of a value; everything but containers is a leaf.
TreeSpec treeSpecOf(const Argument& value);
/// Returns an item of a tree, by index (negative: from the end) or by key.
std::optional<Argument> itemAt(const Argument& tree, const Argument& key);

/// Calls `visit` for every leaf of a tree, in the order of its spec.
template <typename Visit>
void forEachLeaf(const Argument& value, const Visit& visit)
{
    if (!isTree(value))
        return visit(value);
    for (const Argument& item : value.items())
        forEachLeaf(item, visit);
}

/// Returns a copy of the tree with each leaf replaced by `replace(leaf, path)`. The path of a leaf is the given path, followed by
/// "_" and the index or key of each level.
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
