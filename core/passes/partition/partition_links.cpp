#include "passes/partition/partition_links.h"

#include <algorithm>

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
        std::sort(children.begin(), children.end());
        children.erase(std::unique(children.begin(), children.end()), children.end());
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

} // namespace sunder
