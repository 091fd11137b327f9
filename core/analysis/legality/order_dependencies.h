#pragma once

#include "analysis/legality/written_memory.h"
#include "ir/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The reason why two calls must keep their order without a data edge between them.
enum class OrderReason : std::uint8_t {
    memory,  ///< one writes to memory that the other reads or writes
    random,  ///< both draw random numbers from the same generator
    effects, ///< both have external effects: printing, unknown operators
    state,   ///< both set global state for later calls: autocast, grad mode
};

/// Returns "memory", "random", "effects" or "state".
std::string_view name(OrderReason reason);

/// A runtime order dependency: `before` must run before `after`.
struct OrderDependency {
    NodeId before;
    NodeId after;
    OrderReason reason = OrderReason::memory;
    bool beforeWrites = true; ///< for OrderReason::memory; false: it reads
    bool afterWrites = true;
    AccessDoubts doubts = {}; ///< of either call
    NodeId memory = {};  ///< for OrderReason::memory: the first node that may be in it; invalid for tensors without a node
    friend bool operator==(const OrderDependency&, const OrderDependency&) = default;
};

/// A call that sets global state, with the resulting state.
struct StateChange {
    NodeId node;
    std::uint32_t state = 0; ///< equal numbers denote equal states; 0 is the initial one
};

/// The runtime order dependencies between calls of the root graph that are not data edges. Parts run one after another, so a
/// split by tags only preserves data edges. Unknown operators are assumed to write to all of their inputs, to draw random
/// numbers, and to have external effects.
struct OrderDependencies {
    /// For each memory and stream: from the last writer to each later reader, and from readers to the next writer. All other
    /// pairs follow from these, so their number is linear in the number of accesses. By (after, before) in graph order.
    std::vector<OrderDependency> pairs;
    std::vector<StateChange> states; ///< in graph order
    std::vector<WrittenMemory> written;
    /// Per NodeId: 1 for a call whose result may depend on global state: all except setters, queries and calls that take tuples
    /// apart.
    std::vector<std::uint8_t> noticesState;
};

/// Finds the dependencies in the root graph. Empty if a node is used before it is computed, since no order is right then.
/// Assertions need no order among each other: it does not matter which of two fails first. O(nodes + arguments + tensors), plus
/// one lookup in the operator table per target.
OrderDependencies orderDependencies(const Program& program);

} // namespace sunder
