#pragma once

#include "ir/getitem.h"
#include "ir/graph.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Helpers shared by PyTorch's deduplication and Sunder's own.

namespace sunder {

/// Returns the names that PyTorch has assigned by the time a graph like this one has been traced. A tracer names each node after
/// its target and may rename it later, for example after a variable. Names are never reused, so the first name counts as well.
/// Fails with ErrorCode::cancelled.
Result<Namespace> givenNames(const Graph& graph, ProgressMonitor& monitor);

/// PyTorch's stable topological sort. Items keep the given order, except that an item with unplaced needs waits for the last of
/// them. Once that one is placed, the items waiting for it continue immediately, in the order in which they began to wait. `last`
/// (an output) always comes last, regardless of its needs. Returns nothing if items wait for each other or for something that is
/// no item. `needsOf(item)` returns a span of items; items are less than `bound`. O(items + needs).
template <typename NeedsOf>
std::optional<std::vector<std::uint32_t>> stableOrder(std::span<const std::uint32_t> items, std::uint32_t bound,
                                                      std::uint32_t last, const NeedsOf& needsOf)
{
    constexpr std::uint32_t kNone = 0xffffffffU;
    constexpr std::uint32_t kFresh = kNone;
    std::vector<std::uint32_t> order;
    order.reserve(items.size());
    std::vector<std::uint32_t> open(bound, kFresh); ///< number of leading needs not known to be placed
    std::vector<char> isPlaced(bound, 0);
    std::vector<std::uint32_t> firstWaiting(bound, kNone);
    std::vector<std::uint32_t> lastWaiting(bound, kNone);
    std::vector<std::uint32_t> nextWaiting(bound, kNone);
    std::vector<std::uint32_t> pending(items.rbegin(), items.rend());
    std::vector<std::uint32_t> resumed;
    while (!pending.empty()) {
        const std::uint32_t item = pending.back();
        pending.pop_back();
        if (item == last)
            continue;
        const std::span<const std::uint32_t> needs = needsOf(item);
        if (open[item] == kFresh)
            open[item] = static_cast<std::uint32_t>(needs.size());
        while (open[item] > 0 && isPlaced[needs[open[item] - 1]] != 0)
            --open[item];
        if (open[item] > 0) {
            const std::uint32_t need = needs[open[item] - 1];
            (firstWaiting[need] == kNone ? firstWaiting[need] : nextWaiting[lastWaiting[need]]) = item;
            lastWaiting[need] = item;
            nextWaiting[item] = kNone;
            continue;
        }
        isPlaced[item] = 1;
        order.push_back(item);
        resumed.clear();
        for (std::uint32_t at = firstWaiting[item]; at != kNone; at = nextWaiting[at])
            resumed.push_back(at);
        pending.insert(pending.end(), resumed.rbegin(), resumed.rend());
    }
    if (last != kNone)
        order.push_back(last);
    if (order.size() != items.size())
        return std::nullopt;
    return order;
}

/// Returns whether a value is a tuple, named or not; its items() are its elements.
bool isTuple(const Argument& val);
/// Returns a copy of a program with an empty root graph.
Program withoutRootGraph(const Program& source);
/// Returns "subgraph_0", or the next such name that is not a child or attribute of the root module.
InternedString freeSubgraphName(const Program& program);
/// Adds a module of that name below the root, with an empty graph. Returns the graph.
GraphId addSubgraph(Program& program, InternedString name);
/// Adds the modules that call_module nodes of the graph refer to below its owner, as aliases of those in the root module.
void aliasCalledModules(Program& program, GraphId graph);
/// Returns the spec for a copy of a node with other arguments, in another graph of the same program.
NodeSpec specWith(const Node& node, Arguments args, Keywords kwargs);

} // namespace sunder
