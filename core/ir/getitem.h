#pragma once

#include "ir/node.h"

#include <optional>

namespace sunder {

/// The target of the call that takes an item of a value: Python's `operator.getitem`.
inline InternedString getitemTarget()
{
    static const InternedString kTarget = intern("_operator.getitem");
    return kTarget;
}

/// True for a call of `operator.getitem`, whatever its arguments are.
inline bool isGetitem(const Node& node)
{
    return node.op == Op::callFunction && node.target == getitemTarget();
}

/// The number of the item that a getitem takes of another node (its `args[0]`); nothing for every other node, a getitem
/// by another key among them.
inline std::optional<std::int64_t> itemNumber(const Node& node)
{
    const bool takes = isGetitem(node) && node.args.size() == 2 && node.args[0].is(ArgumentKind::node)
        && node.args[1].is(ArgumentKind::integer);
    return takes ? std::optional(node.args[1].asInteger()) : std::nullopt;
}

/// True for `getitem` of a node with a constant integer, or with what Python takes for one: taking a tuple apart.
inline bool takesItem(const Node& node)
{
    return isGetitem(node) && node.args.size() == 2 && node.args[0].is(ArgumentKind::node)
        && (node.args[1].is(ArgumentKind::integer) || node.args[1].is(ArgumentKind::boolean));
}

/// What a new node says of itself: its value alone.
inline NodeMeta metaWithValue(std::optional<Argument> val)
{
    NodeMeta meta;
    meta.val = std::move(val);
    return meta;
}

/// A getitem of a node, without name and meta.
inline NodeSpec getitemSpec(NodeId of, Argument key)
{
    return {
        .op = Op::callFunction, .name = {}, .target = getitemTarget(), .fn = {}, .args = {Argument::node(of), std::move(key)}};
}

/// The same for the item of that number.
inline NodeSpec getitemSpec(NodeId of, std::size_t number)
{
    return getitemSpec(of, Argument::integer(static_cast<std::int64_t>(number)));
}

} // namespace sunder
