#pragma once

#include "ir/node.h"

#include <string>

namespace sunder {

/// Calls `visit(slot, NodeId)` for every node in the arguments, in torch.fx's order, including repeats. A slot is the position of
/// the node: "0", "1.2" for an item of a list, "kw:other" for a keyword, and "kw:other.0" for an item of one.
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

} // namespace sunder
