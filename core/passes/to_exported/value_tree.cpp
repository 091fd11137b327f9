#include "passes/to_exported/value_tree.h"

#include <algorithm>

namespace sunder {

bool isTree(const Argument& value)
{
    if (value.is(ArgumentKind::list) || value.is(ArgumentKind::tuple))
        return true;
    return value.is(ArgumentKind::dict)
        && std::ranges::all_of(value.keys(), [](const Argument& key) { return key.is(ArgumentKind::string); });
}

TreeSpec treeSpecOf(const Argument& value)
{
    if (!isTree(value))
        return {};
    TreeSpec spec{.kind = TreeSpec::Kind::dict, .type = "builtins.dict", .keys = {}, .children = {}};
    if (!value.is(ArgumentKind::dict)) {
        const bool isList = value.is(ArgumentKind::list);
        spec.kind = isList ? TreeSpec::Kind::list : TreeSpec::Kind::tuple;
        spec.type = isList ? "builtins.list" : "builtins.tuple";
    }
    for (const Argument& key : value.keys())
        spec.keys.push_back(key.text().str());
    for (const Argument& item : value.items())
        spec.children.push_back(treeSpecOf(item));
    return spec;
}

std::optional<Argument> itemAt(const Argument& tree, const Argument& key)
{
    const auto count = static_cast<std::int64_t>(tree.items().size());
    if (tree.is(ArgumentKind::dict)) {
        const auto found = std::ranges::find(tree.keys(), key);
        return found != tree.keys().end() ? std::optional(tree.items()[static_cast<std::size_t>(found - tree.keys().begin())])
                                          : std::nullopt;
    }
    if (!key.is(ArgumentKind::integer) || key.asInteger() < -count || key.asInteger() >= count)
        return std::nullopt;
    return tree.items()[static_cast<std::size_t>(key.asInteger() < 0 ? key.asInteger() + count : key.asInteger())];
}

} // namespace sunder
