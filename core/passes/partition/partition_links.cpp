#include "passes/partition/partition_links.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <numeric>

namespace sunder {

void LinkFinder::findHolders(std::span<const std::span<const NodeId>> members)
{
    std::ranges::fill(m_begin, 0U);
    for (const std::span<const NodeId> nodes : members)
        for (const NodeId id : nodes)
            if (m_graph[id].isCall())
                ++m_begin[id.index() + 1];
    for (std::size_t i = 1; i < m_begin.size(); ++i)
        m_begin[i] += m_begin[i - 1];
    m_holders.resize(m_begin.back());
    m_next.assign(m_begin.begin(), m_begin.end() - 1);
    for (std::uint32_t p = 0; p < members.size(); ++p)
        for (const NodeId id : members[p])
            if (m_graph[id].isCall())
                m_holders[m_next[id.index()]++] = p;
}

void LinkFinder::find(std::span<const std::span<const NodeId>> members, PartitionLinks& links)
{
    findHolders(members);
    for (std::vector<std::vector<std::uint32_t>>* lists : {&links.parents, &links.children}) {
        lists->resize(members.size());
        for (std::vector<std::uint32_t>& list : *lists)
            list.clear();
    }
    for (std::uint32_t p = 0; p < members.size(); ++p) {
        std::vector<std::uint32_t>& children = links.children[p];
        for (const NodeId id : members[p]) {
            const auto holders = holdersOf(id);
            if (holders.empty())
                continue;
            for (const NodeId user : m_graph.users(id))
                for (const std::uint32_t q : holdersOf(user))
                    if (!std::binary_search(holders.begin(), holders.end(), q))
                        children.push_back(q);
        }
        sortUnique(children);
        for (const std::uint32_t q : children)
            links.parents[q].push_back(p);
    }
}

PartitionLinks partitionLinks(const Graph& graph, std::span<const std::vector<NodeId>> members)
{
    PartitionLinks links;
    LinkFinder(graph).find(std::vector<std::span<const NodeId>>(members.begin(), members.end()), links);
    return links;
}

std::vector<std::uint32_t> partitionLevels(const PartitionLinks& links)
{
    const std::size_t count = links.parents.size();
    std::vector<std::uint32_t> level(count, 0);
    std::vector<std::size_t> waiting(count);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t p = 0; p < count; ++p) {
        waiting[p] = links.parents[p].size();
        if (waiting[p] == 0)
            ready.push_back(p);
    }
    std::vector<std::uint32_t> longest(count, 0);
    while (!ready.empty()) {
        const std::uint32_t p = ready.back();
        ready.pop_back();
        level[p] = longest[p];
        for (const std::uint32_t q : links.children[p]) {
            longest[q] = std::max(longest[q], level[p] + 1);
            if (--waiting[q] == 0)
                ready.push_back(q);
        }
    }
    return level;
}

bool isOnCircle(const PartitionLinks& links, std::uint32_t partition)
{
    std::vector<char> seen(links.children.size(), 0);
    std::vector<std::uint32_t> todo = {partition};
    while (!todo.empty()) {
        const std::uint32_t p = todo.back();
        todo.pop_back();
        for (const std::uint32_t q : links.children[p]) {
            if (q == partition)
                return true;
            if (std::exchange(seen[q], char{1}) == 0)
                todo.push_back(q);
        }
    }
    return false;
}

namespace {

void sortNodes(std::vector<NodeId>& nodes, const std::vector<std::uint32_t>& position)
{
    const auto before = [&](NodeId a, NodeId b) { return position[a.index()] < position[b.index()]; };
    if (!std::is_sorted(nodes.begin(), nodes.end(), before))
        std::sort(nodes.begin(), nodes.end(), before);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

std::uint32_t placeOfFirstCall(const Graph& graph, const std::vector<NodeId>& nodes, const std::vector<std::uint32_t>& position)
{
    const auto first = std::find_if(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); });
    return first != nodes.end() ? position[first->index()] : PartitionSet::kNone;
}

} // namespace

PartitionSet numberPartitions(const Graph& graph, std::vector<UnnumberedPartition> partitions, std::vector<std::uint32_t>* order)
{
    const std::vector<std::uint32_t> position = graph.positions();
    std::vector<std::uint32_t> place;
    for (UnnumberedPartition& partition : partitions) {
        sortNodes(partition.nodes, position);
        place.push_back(placeOfFirstCall(graph, partition.nodes, position));
    }
    std::vector<std::uint32_t> byPlace(partitions.size());
    std::iota(byPlace.begin(), byPlace.end(), 0U);
    std::stable_sort(byPlace.begin(), byPlace.end(), [&](auto a, auto b) { return place[a] < place[b]; });

    PartitionSet set{.partitions = {}, .partitionOf = std::vector<std::uint32_t>(graph.idBound(), PartitionSet::kNone)};
    std::vector<std::vector<NodeId>> members;
    if (order != nullptr)
        order->resize(partitions.size());
    for (const std::uint32_t from : byPlace) {
        const auto index = static_cast<std::uint32_t>(set.partitions.size());
        UnnumberedPartition& partition = partitions[from];
        if (order != nullptr)
            (*order)[from] = index;
        for (const NodeId id : partition.nodes)
            if (graph[id].isCall())
                set.partitionOf[id.index()] = index;
        members.push_back(std::move(partition.nodes));
        set.partitions.push_back({.id = index,
                                  .usedBytes = partition.usedBytes,
                                  .devices = std::move(partition.devices),
                                  .origin = std::move(partition.origin)});
    }
    PartitionLinks links = partitionLinks(graph, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
        set.partitions[i].nodes = std::move(members[i]);
        set.partitions[i].parents = std::move(links.parents[i]);
        set.partitions[i].children = std::move(links.children[i]);
    }
    return set;
}

} // namespace sunder
