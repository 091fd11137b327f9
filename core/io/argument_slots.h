#pragma once

#include "ir/node.h"

#include <string>

namespace sunder {

/// Calls `visit(slot, NodeId)` for every node in the arguments, in torch.fx's order, repeats included. A slot says where
/// it stands: "0", "1.2" for an item of a list, "kw:other" for a keyword, "kw:other.0" for an item of one.
template <typename Visit>
void forEachSlot(const Argument& argument, const std::string& slot, const Visit& visit)
{
    if (!argument.holdsNodes())
        return;
    if (argument.is(ArgumentKind::node)) {
        visit(slot, argument.asNode());
        return;
    }
    std::size_t place = 0;
    for (const Argument& item : argument.items())
        forEachSlot(item, slot + "." + std::to_string(place++), visit);
}

template <typename Visit>
void forEachSlot(const Node& node, const Visit& visit)
{
    std::size_t place = 0;
    for (const Argument& argument : node.args)
        forEachSlot(argument, std::to_string(place++), visit);
    for (const Keyword& keyword : node.kwargs)
        forEachSlot(keyword.value, "kw:" + keyword.key.str(), visit);
}

/// The place in its tuple that a getitem node reads; nothing for other nodes.
inline std::optional<std::int64_t> outputIndexOf(const Node& node)
{
    static const InternedString kGetItem = intern("_operator.getitem");
    const bool isItem = node.op == Op::callFunction && node.target == kGetItem && node.args.size() == 2 &&
                        node.args[0].is(ArgumentKind::node) && node.args[1].is(ArgumentKind::integer);
    return isItem ? std::optional(node.args[1].asInteger()) : std::nullopt;
}

} // namespace sunder
