#include "passes/split_module/partition_order.h"

#include <algorithm>
#include <string>

namespace sunder {
namespace {

constexpr std::uint32_t kNoPlace = SplitModulePlan::kNone;

class RingFinder {
public:
    RingFinder(const Graph& graph, const SplitModulePlan& plan, const std::vector<std::uint32_t>& missing)
        : m_graph(graph), m_plan(plan), m_missing(missing)
    {
    }

    /// Returns e.g. "add (partition 1) uses relu (partition 0), mul (partition 0) uses add (partition 1)".
    tl::unexpected<Error> fail() const
    {
        const std::vector<std::uint32_t> ring = find();
        std::string text;
        Location where;
        for (std::size_t i = 0; i < std::min(ring.size(), kMaxNamed); ++i) {
            const auto [user, value] = edge(ring[i], ring[(i + 1) % ring.size()]);
            text += (i > 0 ? ", " : "") + nameOf(user) + " uses " + nameOf(value);
            if (i == 0)
                where = {.node = m_graph[user].name.str(), .other = m_graph[value].name.str()};
        }
        if (ring.size() > kMaxNamed)
            text += ", and so on through " + std::to_string(ring.size()) + " partitions";
        return sunder::fail(ErrorCode::refused,
                            "partitions depend on each other in a cycle: " + text
                                + "; put all nodes between them into one partition, or cut elsewhere",
                            std::move(where));
    }

private:
    static constexpr std::size_t kMaxNamed = 6;

    /// Returns partitions that form a cycle: each depends on the next, and the last on the first. Follows dependencies, since a
    /// walk along dependents could leave the cycle; every remaining partition has a remaining dependency.
    [[nodiscard]] std::vector<std::uint32_t> find() const
    {
        std::vector<std::uint32_t> needed(m_plan.size(), kNoPlace);
        std::uint32_t start = kNoPlace;
        for (std::uint32_t from = 0; from < m_plan.size(); ++from) {
            if (m_missing[from] == 0)
                continue;
            start = start == kNoPlace ? from : start;
            for (const std::uint32_t to : m_plan.dependents[from])
                if (needed[to] == kNoPlace)
                    needed[to] = from;
        }
        std::vector<std::uint32_t> path;
        std::vector<char> isOnPath(m_plan.size(), 0);
        for (std::uint32_t at = start; isOnPath[at] == 0; at = needed[at]) {
            isOnPath[at] = 1;
            path.push_back(at);
        }
        path.erase(path.begin(), std::ranges::find(path, needed[path.back()]));
        std::rotate(path.begin(), std::ranges::min_element(path), path.end());
        return path;
    }

    /// Returns a node of `part` and a value of `of` that it uses. If only a symbol crosses, returns the first call of the
    /// partition.
    [[nodiscard]] std::pair<NodeId, NodeId> edge(std::uint32_t part, std::uint32_t of) const
    {
        for (const NodeId call : m_plan.callsOf(part))
            for (const NodeId input : m_graph.inputs(call))
                if (part != of && m_plan.partOf[input.index()] == of && stateSetterOf(m_graph[call]) == StateSetter::none)
                    return {call, input};
        for (const NodeId value : m_plan.inputs[part])
            if (m_plan.partOf[value.index()] == of)
                return {m_plan.callsOf(part).front(), value};
        return {m_plan.callsOf(part).front(), m_plan.callsOf(of).front()};
    }

    [[nodiscard]] std::string nameOf(NodeId id) const
    {
        return m_graph[id].name.str() + " (partition " + m_plan.ids[m_plan.partOf[id.index()]].text.str() + ")";
    }

    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const std::vector<std::uint32_t>& m_missing;
};

} // namespace

Result<std::vector<std::uint32_t>> orderPartitions(const Graph& graph, const SplitModulePlan& plan)
{
    std::vector<std::uint32_t> missing(plan.size(), 0); ///< number of dependencies that are not ordered yet
    for (const std::vector<std::uint32_t>& dependents : plan.dependents)
        for (const std::uint32_t dependent : dependents)
            ++missing[dependent];
    std::vector<std::uint32_t> ready;
    for (std::uint32_t part = 0; part < plan.size(); ++part)
        if (missing[part] == 0)
            ready.push_back(part);
    std::vector<std::uint32_t> order;
    order.reserve(plan.size());
    while (!ready.empty()) {
        const std::uint32_t part = ready.back();
        ready.pop_back();
        order.push_back(part);
        for (const std::uint32_t dependent : plan.dependents[part])
            if (--missing[dependent] == 0)
                ready.push_back(dependent);
    }
    if (order.size() != plan.size())
        return RingFinder(graph, plan, missing).fail();
    return order;
}

} // namespace sunder
