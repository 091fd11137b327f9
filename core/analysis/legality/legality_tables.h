#pragma once

#include "analysis/boundary_kinds.h"
#include "analysis/legality/global_setters.h"
#include "analysis/legality/hidden_orders.h"
#include "analysis/tag_assignment.h"
#include "support/rows.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sunder {

/// The root graph of a program as dense tables, for everything that asks whether tags are legal. It knows nothing of tags, so
/// one serves every stroke. Calls are numbered in graph order, edges between calls by (consumer, place among its inputs).
struct LegalityTables {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    struct Edge {
        std::uint32_t from = 0; ///< producer
        std::uint32_t to = 0;   ///< consumer
    };
    /// A use of a written memory by calls.
    struct CallUse {
        std::uint32_t call = kNone;   ///< kNone: the program itself
        std::uint32_t origin = kNone; ///< that gives the value; kNone: none does
    };
    /// A value that separate parts cannot pass on, or not with its memory, and a call that needs it.
    struct BoundValue {
        std::uint32_t call = 0;
        std::uint32_t reader = kNone; ///< kNone: the program returns it
    };
    /// A pair of `orders` by calls.
    struct OrderedCalls {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
    };

    std::vector<NodeId> nodes;          ///< per call
    std::vector<std::uint32_t> callOf;  ///< per NodeId: call, or kNone
    std::vector<Edge> edges;            ///< of distinct inputs, by consumers
    std::vector<std::uint32_t> edgesOf; ///< per call: its first edge as a consumer; one more at the end
    Rows usesOf;                        ///< per call: edges that it is the producer of, ascending
    std::vector<std::uint64_t> bytes;   ///< per call: of its result; 0 when unknown
    std::vector<BoundaryKind> kinds;    ///< per call: of its result
    std::vector<char> isBystander;      ///< per call: computes nothing that is used (bystandersOf())
    Rows memories;                      ///< per call: memories that it reads
    Rows memoryReaders;                 ///< per memory
    std::vector<std::uint64_t> memoryBytes;
    std::vector<TensorId> tensorOfMemory; ///< the first in it

    std::vector<HiddenOrder> orders;
    std::vector<OrderedCalls> orderedCalls; ///< per order
    Rows ordersOf;                          ///< per call: orders that it is in
    std::vector<std::uint32_t> setters;     ///< calls that set global state, in graph order
    std::vector<std::uint32_t> stateBehind; ///< per setter
    std::vector<std::uint8_t> noticesState; ///< per call
    std::vector<std::uint32_t> settersBefore; ///< per call: how many setters stand before it in the graph

    // What separate parts have, models of their own (core/parts).
    std::vector<WrittenMemory> written;
    std::vector<std::vector<CallUse>> uses;    ///< per written memory: its uses
    Rows writtenOf;                            ///< per call: written memories whose uses name it
    std::vector<GlobalSetter> globalSetters;     ///< per setter
    std::vector<std::uint32_t> ownerOf;        ///< per call: the call in whose part it is (HandedValues::owners); else itself
    std::vector<BoundValue> boundValues;       ///< of an exported program, by calls

    [[nodiscard]] std::uint32_t callCount() const { return static_cast<std::uint32_t>(nodes.size()); }
    /// The state that holds in front of the setter of this number, and behind all where there is none.
    [[nodiscard]] std::uint32_t stateAt(std::uint32_t setter) const { return setter == 0 ? 0 : stateBehind[setter - 1]; }
};

using LegalityTablesPtr = std::shared_ptr<const LegalityTables>;

/// O(nodes + arguments + tensors), and what hiddenOrders() takes.
LegalityTables legalityTables(const Program& program);

} // namespace sunder
