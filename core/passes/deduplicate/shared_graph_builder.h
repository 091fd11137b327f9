#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/group_plan.h"
#include "passes/regions/order_constraints.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// Where calls stand among the nodes that are left.
enum class CallOrder : std::uint8_t {
    asTorch,  ///< torch's stable sort of nodes that are left, then calls
    asSource, ///< as near to where their regions stood as possible
};

/// Builds the program in which accepted regions are calls. Groups are added in order; nothing of the source is changed.
/// The list of nodes that torch would end up with before its last sort is kept as numbered items; finish() sorts them
/// and writes the root graph in one go, so that the cost is linear however wide results are used.
class SharedGraphBuilder {
public:
    /// Unfinished once `monitor` was cancelled; it outlives this.
    SharedGraphBuilder(const Program& source, const RankedGraph& graph, ProgressMonitor& monitor);

    /// Makes the subgraph of a group from its first region, and an attribute of the root module for it.
    void beginGroup(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::size_t group);
    /// Replaces a region of that group, the `number`-th, by a call.
    void addCall(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region,
                 std::size_t number);
    void abandon(std::span<const NodeId> region, std::string why);
    /// Refused only if the calls need each other, or cancelled. `constraints` are kept beside what values ask for.
    Result<DedupResult> finish(const OrderConstraints& constraints, CallOrder order);

private:
    enum class Kind : std::uint8_t { source, attribute, call, result };
    /// A node of the result's root graph.
    struct Item {
        Kind kind;
        std::uint32_t of;          ///< source: its rank; result: its call's item; call: index into m_calls
        std::uint32_t number = 0;  ///< of a result
        std::uint32_t carries = 0; ///< of a result: rank of the node whose value it is
        InternedString name = {};  ///< of what is new
        InternedString target = {}; ///< of an attribute
    };
    struct Call {
        std::uint32_t attribute;              ///< its item
        std::vector<std::uint32_t> operands;  ///< ranks
        std::vector<std::uint32_t> inner;     ///< ranks
        std::uint32_t item = 0;
        std::vector<std::uint32_t> returned = {}; ///< ranks of what it returns, before tuples among it are taken apart
        std::vector<std::uint32_t> after = {}; ///< items of its results, as they follow it in the list
    };

    std::uint32_t addItem(Item item);
    std::uint32_t addResult(Call& call, std::uint32_t number, std::uint32_t rank);
    void replaceParts(Call& call, std::uint32_t first, std::uint32_t tuple, const Argument& val);
    /// Whether the value of a node is a result of a call by now.
    [[nodiscard]] bool isResult(std::uint32_t rank) const
    {
        return m_valueItem[rank] != kNone && m_items[m_valueItem[rank]].kind == Kind::result;
    }
    [[nodiscard]] InternedString nameOf(std::uint32_t rank) const;
    /// The item that has a node's value, or that of the node that it is the same value as.
    [[nodiscard]] std::uint32_t itemOf(std::uint32_t rank) const
    {
        while (m_sameAs[rank] != rank)
            rank = m_sameAs[rank];
        return m_valueItem[rank];
    }
    void addExpanded(Graph& graph, NodeId whole, const Argument& val, Arguments& results) const;
    std::vector<std::uint32_t> listItems() const;
    void addNeeds(const OrderConstraints& constraints);
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> sourceOrder(std::span<const std::uint32_t> items,
                                                                        std::uint32_t output) const;
    [[nodiscard]] std::optional<Argument> valOf(const Call& call) const;
    NodeSpec specOf(const Item& item, const std::vector<NodeId>& made) const;
    /// False once it was cancelled.
    [[nodiscard]] bool writeGraph(std::span<const std::uint32_t> order);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    const Program& m_source;
    const RankedGraph& m_graph;
    ProgressMonitor& m_monitor;
    Namespace m_names;
    DedupResult m_result;
    std::vector<Item> m_items;
    std::vector<Call> m_calls;
    std::vector<std::uint32_t> m_attributes;  ///< items
    std::vector<std::uint32_t> m_valueItem;   ///< per rank: the item that has its value; kNone when nobody asks for it
    std::vector<std::uint32_t> m_sameAs;      ///< per rank: what stands for its value; mostly itself
    std::vector<std::uint32_t> m_stepItem;    ///< per rank: the item that runs it
    std::vector<NodeId> m_copies;             ///< per place of the group: node of its subgraph
    NumberLists m_needs;                      ///< per item
};

} // namespace sunder
