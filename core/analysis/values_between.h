#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// A value that some nodes make and others read: between modules, or along an edge of a picture.
struct ValueBetween {
    NodeId value;
    NodeId producer;                  ///< the op that makes it: of a getitem the one that it takes an item of
    std::optional<std::int64_t> item; ///< which one, of a getitem
    std::vector<NodeId> readers;      ///< among those asked about, in torch's order of users
    std::size_t further = 0;          ///< readers elsewhere
};

/// How a value of a graph is read by those whom `isReader` names. A getitem of it that is none of them is no reader. O(users).
ValueBetween valueBetween(const Graph& graph, NodeId value, const std::function<bool(NodeId)>& isReader);

/// What an end of an edge is called: a node of the root graph by its name, else all nodes in the module of that path, in graph order.
/// Refused, with the name quoted, where there is neither. O(nodes).
Result<std::vector<NodeId>> endOfEdge(const Program& program, std::string_view name);

/// What flows from some nodes of a graph to others, in graph order. A value that a node of both reads stays where it is. O(nodes + uses).
std::vector<ValueBetween> valuesBetween(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to);

} // namespace sunder
