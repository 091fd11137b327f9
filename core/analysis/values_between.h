#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// A value that some nodes produce and others consume: between modules, or along an edge of a picture.
struct ValueBetween {
    NodeId value;
    NodeId producer;                  ///< the op that computes it; for a getitem, the op whose item it is
    std::optional<std::int64_t> item; ///< index of the item, for a getitem
    std::vector<NodeId> readers;      ///< consumers in the requested set, in PyTorch's order of users
    std::size_t further = 0;          ///< number of other consumers
};

/// Returns how the nodes accepted by `isReader` consume a value. Other users count as `further`, except getitems. O(users).
ValueBetween valueBetween(const Graph& graph, NodeId value, const std::function<bool(NodeId)>& isReader);

/// Resolves the name of an end of an edge: a node of the root graph, otherwise all nodes in the module with that path, in graph
/// order. The error for an unknown name quotes it. O(nodes).
Result<std::vector<NodeId>> endOfEdge(const Program& program, std::string_view name);

/// Returns the values that pass from `from` to `to`, in graph order. Consumers that are in both sets do not count. O(nodes +
/// uses).
std::vector<ValueBetween> valuesBetween(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to);

} // namespace sunder
