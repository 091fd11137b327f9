#pragma once

#include "analysis/boundary_kinds.h"
#include "analysis/legality/global_setters.h"
#include "analysis/legality/order_dependencies.h"
#include "analysis/tag_assignment.h"
#include "support/rows.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sunder {

/// The root graph of a program as dense tables for checking the legality of tags. Independent of tags, so one instance serves
/// every stroke. Calls are numbered in graph order; edges between calls are ordered by (consumer, index among its inputs).
struct LegalityTables {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    struct Edge {
        std::uint32_t from = 0; ///< producer
        std::uint32_t to = 0;   ///< consumer
    };
    /// A use of a written memory by calls.
    struct CallUse {
        std::uint32_t call = kNone;   ///< kNone: the program itself
        std::uint32_t origin = kNone; ///< the producer of the value; kNone: no call
    };
    /// A value that separate parts cannot pass on, or not with its memory, and a consumer of it.
    struct BoundValue {
        std::uint32_t call = 0;
        std::uint32_t reader = kNone; ///< kNone: the program returns it
    };
    /// A pair of `orders` as calls.
    struct OrderedCalls {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
    };

    std::vector<NodeId> nodes;          ///< per call
    std::vector<std::uint32_t> callOf;  ///< per NodeId: call, or kNone
    std::vector<Edge> edges;            ///< of distinct inputs, by consumer
    std::vector<std::uint32_t> edgesOf; ///< per call: its first edge as a consumer; one more at the end
    Rows usesOf;                        ///< per call: its edges as a producer, ascending
    std::vector<std::uint64_t> bytes;   ///< per call: size of its result; 0 if unknown
    std::vector<BoundaryKind> kinds;    ///< per call: kind of its result
    std::vector<char> isDeadNode;      ///< per call: a dead op or assertion (deadAndAssertNodes())
    Rows memories;                      ///< per call: memories that it reads
    Rows memoryReaders;                 ///< per memory
    std::vector<std::uint64_t> memoryBytes;
    std::vector<TensorId> tensorOfMemory; ///< per memory: its first tensor

    std::vector<OrderDependency> orders;
    std::vector<OrderedCalls> orderedCalls; ///< per order
    Rows ordersOf;                          ///< per call: the orders that involve it
    std::vector<std::uint32_t> setters;     ///< calls that set global state, in graph order
    std::vector<std::uint32_t> stateBehind; ///< per setter
    std::vector<std::uint8_t> noticesState; ///< per call
    std::vector<std::uint32_t> settersBefore; ///< per call: number of setters before it in the graph

    // Only relevant for separate parts, which are models of their own (core/parts).
    std::vector<WrittenMemory> written;
    std::vector<std::vector<CallUse>> uses;    ///< per written memory: its uses
    Rows writtenOf;                            ///< per call: written memories that it uses or provides
    std::vector<GlobalSetter> globalSetters;     ///< per setter
    /// Per call: the call that determines its part (HandedValues::owners); otherwise itself
    std::vector<std::uint32_t> ownerOf;
    std::vector<BoundValue> boundValues;       ///< of an exported program, by call

    [[nodiscard]] std::uint32_t callCount() const { return static_cast<std::uint32_t>(nodes.size()); }
    /// Returns the state before the setter with this index; for one past the last setter, the final state.
    [[nodiscard]] std::uint32_t stateAt(std::uint32_t setter) const { return setter == 0 ? 0 : stateBehind[setter - 1]; }
};

using LegalityTablesPtr = std::shared_ptr<const LegalityTables>;

/// Builds the tables. O(nodes + arguments + tensors), plus the cost of orderDependencies().
LegalityTables legalityTables(const Program& program);

} // namespace sunder
