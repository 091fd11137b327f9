#include "passes/deduplicate/region_assertions.h"

#include "operators/operator_catalogue.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// Compares values, ignoring the nodes in them.
bool sameConstants(const Argument& a, const Argument& b)
{
    if (!a.holdsNodes() && !b.holdsNodes())
        return a == b;
    return a.kind() == b.kind() && a.items().size() == b.items().size()
        && std::ranges::equal(a.items(), b.items(), sameConstants);
}

bool sameCall(const Node& a, const Node& b)
{
    const auto sameKeyword = [](const Keyword& x, const Keyword& y) { return x.key == y.key && sameConstants(x.value, y.value); };
    return a.op == b.op && a.target == b.target && std::ranges::equal(a.args, b.args, sameConstants)
        && std::ranges::equal(a.kwargs, b.kwargs, sameKeyword);
}

} // namespace

/// The assertions that a region could include, grouped by their inputs. Labels number places of the region first, then outer
/// values in the order in which the region uses them.
class RegionAssertions::Search {
public:
    Search(const RankedGraph& graph, const std::vector<char>& isFree, std::span<const NodeId> region) : m_graph(graph)
    {
        std::vector<std::uint32_t> known;
        for (const NodeId id : region)
            known.push_back(graph.rank(id));
        m_inside = static_cast<std::uint32_t>(known.size());
        for (std::uint32_t place = 0; place < m_inside; ++place)
            m_labels.emplace(known[place], place);
        for (std::uint32_t place = 0; place < m_inside; ++place)
            for (const std::uint32_t input : graph.inputs(known[place]))
                if (m_labels.emplace(input, static_cast<std::uint32_t>(known.size())).second)
                    known.push_back(input);
        for (const std::uint32_t rank : known)
            for (const std::uint32_t user : graph.users(rank))
                if (isFree[user] != 0)
                    add(user);
    }

    using Labels = std::vector<std::uint32_t>;
    [[nodiscard]] const std::map<Labels, std::vector<std::uint32_t>>& found() const { return m_found; }
    /// Returns whether an assertion with these labels checks a value computed in the region.
    [[nodiscard]] bool isInside(const Labels& labels) const
    {
        return std::ranges::any_of(labels, [this](std::uint32_t label) { return label < m_inside; });
    }
    /// Returns the first assertion with these labels that equals `node` and is not in `taken`; nothing if there is none.
    std::optional<std::uint32_t> match(const Labels& labels, const Node& node,
                                       const std::unordered_set<std::uint32_t>& taken) const
    {
        const auto at = m_found.find(labels);
        if (at != m_found.end())
            for (const std::uint32_t rank : at->second)
                if (!taken.contains(rank) && sameCall(m_graph.node(rank), node))
                    return rank;
        return std::nullopt;
    }

private:
    void add(std::uint32_t rank)
    {
        Labels labels;
        for (const std::uint32_t input : m_graph.inputs(rank)) {
            const auto label = m_labels.find(input);
            if (label == m_labels.end())
                return;
            labels.push_back(label->second);
        }
        if (m_seen.insert(rank).second)
            m_found[std::move(labels)].push_back(rank);
    }

    const RankedGraph& m_graph;
    std::uint32_t m_inside = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> m_labels;
    std::unordered_set<std::uint32_t> m_seen;
    std::map<Labels, std::vector<std::uint32_t>> m_found;
};

RegionAssertions::RegionAssertions(const Program& program, const RankedGraph& graph) : m_graph(graph), m_isFree(graph.size(), 0)
{
    OperatorCatalog catalogue(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        const Node& node = graph.node(rank);
        const bool calls = node.op == Op::callFunction || node.op == Op::callMethod;
        m_isFree[rank] = calls && graph.users(rank).empty() && !node.meta.mutated
                && catalogue.of(node).role == CallRole::assertion
            ? 1
            : 0;
    }
}

std::optional<RegionGroup> RegionAssertions::widen(const RegionGroup& group)
{
    const std::size_t count = group.regionCount();
    std::vector<Search> searches;
    for (std::size_t i = 0; i < count && (i == 0 || !searches.front().found().empty()); ++i)
        searches.emplace_back(m_graph, m_isFree, group.region(i));
    if (searches.front().found().empty())
        return std::nullopt;
    std::vector<std::vector<std::uint32_t>> regions(count);
    for (std::size_t i = 0; i < count; ++i)
        for (const NodeId id : group.region(i))
            regions[i].push_back(m_graph.rank(id));
    std::unordered_set<std::uint32_t> taken;
    // An outer value of one region may be computed in another, which then includes the assertion about it.
    for (const bool inside : {true, false})
        for (const auto& [labels, candidates] : searches.front().found()) {
            if (searches.front().isInside(labels) != inside)
                continue;
            for (const std::uint32_t first : candidates) {
                std::vector<std::uint32_t> matches;
                for (const Search& search : searches)
                    if (const auto match = search.match(labels, m_graph.node(first), taken)) {
                        taken.insert(*match);
                        matches.push_back(*match);
                    }
                for (std::size_t i = 0; i < count && matches.size() == count; ++i)
                    regions[i].push_back(matches[i]);
                if (matches.size() != count)
                    for (const std::uint32_t rank : matches)
                        taken.erase(rank);
            }
        }
    if (taken.empty())
        return std::nullopt;
    std::vector<std::uint32_t> order(regions.front().size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t place) { return regions.front()[place]; });
    RegionGroup widened{.length = static_cast<std::uint32_t>(order.size()), .nodes = {}};
    for (const std::vector<std::uint32_t>& region : regions)
        for (const std::uint32_t place : order)
            widened.nodes.push_back(m_graph.id(region[place]));
    return widened;
}

void RegionAssertions::take(const RegionGroup& widened)
{
    for (const NodeId id : widened.nodes)
        m_isFree[m_graph.rank(id)] = 0;
}

} // namespace sunder
