// Problems of order: cyclic tags, and calls that would run in reverse order or under another global state.
#include "support/format.h"
#include "tagging/problem_search.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <ranges>

namespace sunder {
namespace {

std::string whyOrdered(const ProblemSearch& search, const OrderDependency& order)
{
    const std::string before = search.nodeName(order.before);
    const std::string after = search.nodeName(order.after);
    switch (order.reason) {
    case OrderReason::random: return before + " and " + after + " draw random numbers in this order";
    case OrderReason::effects: return before + " and " + after + " have side effects in this order";
    case OrderReason::state: return before + " and " + after + " set global state (autocast, grad mode, …) in this order";
    case OrderReason::memory: break;
    }
    const std::string memory = order.memory ? "the memory of " + search.nodeName(order.memory) : std::string("the same tensor");
    return before + (order.beforeWrites ? " writes to " : " reads ") + memory + " before " + after
        + (order.afterWrites ? " writes to it" : " reads it");
}

void addHiddenOrder(const ProblemSearch& search, const BrokenOrder& broken)
{
    const OrderDependency& order = broken.order;
    Problem problem{.kind = Problem::Kind::orderDependency,
                    .severity = order.doubts.isNone() ? Severity::error : Severity::warning,
                    .nodes = {order.before, order.after}};
    problem.text = whyOrdered(search, order) + ", but " + search.tagName(broken.beforeTag) + " comes after "
        + search.tagName(broken.afterTag) + "." + describe(order.doubts);
    const LegalityTables& tables = search.offers.state().tables();
    const std::uint32_t before = search.offers.callOf(order.before);
    const std::uint32_t after = search.offers.callOf(order.after);
    Findings cured;
    for (const std::uint32_t at : tables.ordersOf[before])
        if (tables.orders[at] == order)
            cured.push_back({Finding::Kind::order, at, 0});
    search.offers.offerReorder(problem, cured);
    search.offers.offerMove(problem, loweredWith(search.offers.state(), {before}, broken.afterTag), order.before, broken.afterTag,
                            cured);
    search.offers.offerMove(problem, raisedWith(search.offers.state(), {after}, broken.beforeTag), order.after, broken.beforeTag,
                            cured);
    search.add(std::move(problem));
}

/// Describes a cycle, hop by hop.
std::string hopsOf(const ProblemSearch& search, const TagCycle& circle)
{
    std::string hops;
    for (const TagHop& hop : circle.hops)
        hops += (hops.empty() ? "" : "; ") + search.withTag(hop.producer, hop.from) + (hop.isOrder ? " before " : " feeds ")
            + search.withTag(hop.consumer, hop.to) + (hop.bytes > 0 ? ", " + formatBytes(hop.bytes) : "");
    return hops;
}

/// Adds the nodes of a cycle to those of the problem.
void addNodesOf(Problem& problem, const TagCycle& circle)
{
    for (const TagHop& hop : circle.hops)
        for (const NodeId id : {hop.producer, hop.consumer})
            if (std::ranges::find(problem.nodes, id) == problem.nodes.end())
                problem.nodes.push_back(id);
}

std::vector<int> sortedTagsOf(const TagCycle& circle)
{
    std::vector<int> tags;
    for (const TagHop& hop : circle.hops)
        tags.push_back(hop.from);
    std::ranges::sort(tags);
    return tags;
}

Findings findingsOf(const ProblemSearch& search, const TagCycle& circle)
{
    Findings found;
    for (const int tag : sortedTagsOf(circle) | std::views::drop(1))
        found.push_back({Finding::Kind::circle, search.tags.order[static_cast<std::size_t>(tag)].id(), 0});
    return found;
}

/// Offers to merge the tags of a cycle. The first tag is kept, even if it is in other cycles.
void offerMergeOf(const ProblemSearch& search, Problem& problem, const TagCycle& circle)
{
    search.offers.offerMerge(problem, sortedTagsOf(circle), findingsOf(search, circle));
}

std::string tagsOf(const ProblemSearch& search, const TagCycle& circle)
{
    std::vector<std::string> names;
    for (const TagHop& hop : circle.hops)
        names.push_back(search.tagName(hop.from));
    return joined(names);
}

} // namespace

void addCircles(const ProblemSearch& search)
{
    for (const TagCycle& circle : search.report.circles) {
        Problem problem{.kind = Problem::Kind::circle};
        problem.text = tagsOf(search, circle) + " depend on each other, so no order of them is legal: " + hopsOf(search, circle)
            + ".";
        addNodesOf(problem, circle);
        offerMergeOf(search, problem, circle);
        search.offers.offerFollow(problem, findingsOf(search, circle));
        search.add(std::move(problem));
    }
}

void addHiddenOrders(const ProblemSearch& search)
{
    const std::vector<BrokenOrder>& orders = search.report.orders;
    const std::size_t shown = std::min(search.options.limit, orders.size());
    for (std::size_t i = 0; i < shown; ++i)
        addHiddenOrder(search, orders[i]);
    std::vector<NodeId> more;
    for (std::size_t i = shown; i < orders.size(); ++i)
        more.push_back(orders[i].order.after);
    if (!more.empty())
        search.addMore(Severity::error, formatCount(more.size()) + " more ops would run before ops that must run first.", more);
}

void addLeftRegions(const ProblemSearch& search)
{
    const std::vector<LeftRegion>& regions = search.report.regions;
    const std::size_t shown = std::min(search.options.limit, regions.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const LeftRegion& left = regions[i];
        Problem problem{.kind = Problem::Kind::leftRegion, .nodes = {left.node, left.setter}};
        problem.text = search.withTag(left.node, left.tag) + " would run " + (left.runsBefore ? "before " : "after ")
            + search.withTag(left.setter, left.setterTag) + " instead of " + (left.runsBefore ? "after" : "before")
            + " it, with different global state (autocast, grad mode, …).";
        const std::uint32_t call = search.offers.callOf(left.node);
        const Finding cured{Finding::Kind::region, call, 0};
        const LegalityState& state = search.offers.state();
        search.offers.offerMove(
            problem, left.runsBefore ? raisedWith(state, {call}, left.setterTag) : loweredWith(state, {call}, left.setterTag),
            left.node, left.setterTag, {&cured, 1});
        search.add(std::move(problem));
    }
    std::vector<NodeId> more;
    for (std::size_t i = shown; i < regions.size(); ++i)
        more.push_back(regions[i].node);
    if (!more.empty())
        search.addMore(Severity::error, formatCount(more.size()) + " more ops would run outside their regions.", more);
}

} // namespace sunder
