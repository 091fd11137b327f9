#pragma once

#include "ir/node.h"

#include <optional>

namespace sunder {

/// The target of getitem calls: Python's `operator.getitem`.
inline InternedString getitemTarget()
{
    static const InternedString kTarget = intern("_operator.getitem");
    return kTarget;
}

/// Whether a node is a call of `operator.getitem`, with any arguments.
inline bool isGetitem(const Node& node)
{
    return node.op == Op::callFunction && node.target == getitemTarget();
}

/// Returns the constant integer index of a getitem of another node (its `args[0]`); nothing for every other node, including
/// getitems with other keys.
inline std::optional<std::int64_t> itemNumber(const Node& node)
{
    const bool takes = isGetitem(node) && node.args.size() == 2 && node.args[0].is(ArgumentKind::node)
        && node.args[1].is(ArgumentKind::integer);
    return takes ? std::optional(node.args[1].asInteger()) : std::nullopt;
}

/// Whether a node is a `getitem` of a node with a constant integer, or with a constant that Python accepts as one, as in
/// unpacking a tuple.
inline bool takesItem(const Node& node)
{
    return isGetitem(node) && node.args.size() == 2 && node.args[0].is(ArgumentKind::node)
        && (node.args[1].is(ArgumentKind::integer) || node.args[1].is(ArgumentKind::boolean));
}

/// Returns the metadata of a new node: only its value.
inline NodeMeta metaWithValue(std::optional<Argument> val)
{
    NodeMeta meta;
    meta.val = std::move(val);
    return meta;
}

/// Returns a getitem of a node, without name and metadata.
inline NodeSpec getitemSpec(NodeId of, Argument key)
{
    return {
        .op = Op::callFunction, .name = {}, .target = getitemTarget(), .fn = {}, .args = {Argument::node(of), std::move(key)}};
}

/// Returns a getitem of the item with this index.
inline NodeSpec getitemSpec(NodeId of, std::size_t number)
{
    return getitemSpec(of, Argument::integer(static_cast<std::int64_t>(number)));
}

} // namespace sunder
