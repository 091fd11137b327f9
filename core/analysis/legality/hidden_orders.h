#pragma once

#include "analysis/legality/written_memory.h"
#include "ir/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// Why two calls have to keep their order although neither reads what the other computes.
enum class OrderReason : std::uint8_t {
    memory,  ///< one writes to memory that the other reads or writes
    random,  ///< both draw random numbers, and the second gets what the first leaves
    effects, ///< both do something that is seen outside: print, call what nobody knows
    state,   ///< both set what holds for all calls behind them: autocast, grad mode
};

/// "memory", "random", "effects", "state".
std::string_view name(OrderReason reason);

/// `before` must run before `after`.
struct HiddenOrder {
    NodeId before;
    NodeId after;
    OrderReason reason = OrderReason::memory;
    bool beforeWrites = true; ///< of OrderReason::memory; else it reads
    bool afterWrites = true;
    bool isKnown = true; ///< false: one of the two is a call that nobody knows, or where tensors lie is not on file
    NodeId memory = {};  ///< of OrderReason::memory: the first node that may lie in it; invalid for tensors that no node reads
    friend bool operator==(const HiddenOrder&, const HiddenOrder&) = default;
};

/// A call that sets global state, and which state holds behind it.
struct StateChange {
    NodeId node;
    std::uint32_t state = 0; ///< equal numbers: the same state; 0 is the one at the start
};

/// What of the order of the root graph's calls matters though no value flows. Parts run one after the other, so a split by tags
/// keeps data edges and nothing else in order. What nobody knows writes to all that reaches it, draws and has effects.
struct HiddenOrders {
    /// Of each memory and stream: last writer to each reader behind it, readers to the next writer. All other pairs that must
    /// keep their order follow from these, so there are as many as there are touches. By (after, before) in graph order.
    std::vector<HiddenOrder> pairs;
    std::vector<StateChange> states; ///< in graph order
    std::vector<WrittenMemory> written;
    /// Per NodeId: 1 for a call whose result may hang on global state: all but setters, questions and what takes tuples apart.
    std::vector<std::uint8_t> noticesState;
};

/// Of the root graph. Empty where a node is used before it is computed: no order is right then. Assertions keep no order: which
/// of two fails first is one answer. O(nodes + arguments + tensors), and a line of the operator table for each target.
HiddenOrders hiddenOrders(const Program& program);

} // namespace sunder
