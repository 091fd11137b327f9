#pragma once

#include "analysis/run_order/memory_dependencies.h"
#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/group_plan.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// Placement of calls among the remaining nodes.
enum class CallOrder : std::uint8_t {
    asTorch,  ///< PyTorch's stable sort of the remaining nodes, followed by calls
    asSource, ///< as close as possible to the position of their regions
};

/// Builds the program in which accepted regions are calls. Groups are added in order; the source is not changed. Keeps the node
/// list that PyTorch has before its final sort as numbered items. finish() sorts them and writes the root graph in one pass, so
/// that the cost is linear even if results have many users.
class SharedGraphBuilder {
public:
    /// `names`: givenNames() of the root graph. `monitor` must outlive this object.
    SharedGraphBuilder(const Program& source, const RankedGraph& graph, Namespace names, ProgressMonitor& monitor);

    /// Adds the subgraph of a group, copied from its first region, and a get_attr item for it.
    void beginGroup(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::size_t group);
    /// Replaces region `number` of the current group by a call.
    void addCall(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::span<const std::uint32_t> region,
                 std::size_t number);
    void abandon(std::span<const NodeId> region, std::string why);
    /// Returns the result. `dependencies` are kept in addition to data flow. Returns ErrorCode::refused if calls depend on each
    /// other, ErrorCode::cancelled if canceled.
    Result<DedupResult> finish(const MemoryDependencies& dependencies, CallOrder order);

private:
    enum class Kind : std::uint8_t { source, attribute, call, result };
    /// A node of the result's root graph.
    struct Item {
        Kind kind;
        std::uint32_t of; ///< source: its rank; result: item of its call; call: index into m_calls
        std::uint32_t number = 0; ///< of a result: its index
        std::uint32_t carries = 0; ///< of a result: rank of the source node with this value
        InternedString name = {}; ///< of new nodes
        InternedString target = {}; ///< of an attribute
    };
    struct Call {
        std::uint32_t attribute; ///< item of the subgraph's get_attr
        std::vector<std::uint32_t> operands; ///< ranks
        std::vector<std::uint32_t> inner; ///< ranks
        std::uint32_t item = 0;
        std::vector<std::uint32_t> returned = {}; ///< ranks of returned values, before tuples are expanded
        std::vector<std::uint32_t> after = {}; ///< items of its results, in list order
    };

    std::uint32_t addItem(Item item);
    std::uint32_t addResult(Call& call, std::uint32_t number, std::uint32_t rank);
    void replaceParts(Call& call, std::uint32_t first, std::uint32_t tuple, const Argument& val);
    /// Returns whether the value of a node is now the result of a call.
    [[nodiscard]] bool isResult(std::uint32_t rank) const
    {
        return m_valueItem[rank] != kNone && m_items[m_valueItem[rank]].kind == Kind::result;
    }
    [[nodiscard]] InternedString nameOf(std::uint32_t rank) const;
    /// Returns the item that holds a node's value, or the value that it is identical to.
    [[nodiscard]] std::uint32_t itemOf(std::uint32_t rank) const
    {
        while (m_sameAs[rank] != rank)
            rank = m_sameAs[rank];
        return m_valueItem[rank];
    }
    void addExpanded(Graph& graph, NodeId whole, const Argument& val, Arguments& results) const;
    std::vector<std::uint32_t> listItems() const;
    void addNeeds(const MemoryDependencies& dependencies);
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> sourceOrder(std::span<const std::uint32_t> items,
                                                                        std::uint32_t output) const;
    [[nodiscard]] std::optional<Argument> valOf(const Call& call) const;
    NodeSpec specOf(const Item& item, const std::vector<NodeId>& made) const;
    [[nodiscard]] Result<void> writeGraph(std::span<const std::uint32_t> order);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    const Program& m_source;
    const RankedGraph& m_graph;
    ProgressMonitor& m_monitor;
    Namespace m_names;
    DedupResult m_result;
    std::vector<Item> m_items;
    std::vector<Call> m_calls;
    std::vector<std::uint32_t> m_attributes; ///< items
    std::vector<std::uint32_t> m_valueItem; ///< per rank: the item with its value; kNone if no item uses it
    std::vector<std::uint32_t> m_sameAs; ///< per rank: the node with the same value; usually itself
    std::vector<std::uint32_t> m_stepItem; ///< per rank: the item that runs it
    std::vector<NodeId> m_copies; ///< per place of the current group: node of its subgraph
    NumberLists m_needs; ///< per item
};

} // namespace sunder
