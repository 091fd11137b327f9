#include "passes/partition/partition_links.h"

#include "passes/partition/open_partition.h"

#include <algorithm>

namespace sunder {
namespace {

/// Per call node, the partitions that it is a member of.
class Memberships {
public:
    Memberships(const Graph& graph, std::span<const std::vector<NodeId>> members) : m_begin(graph.idBound() + 1, 0)
    {
        for (const std::vector<NodeId>& nodes : members)
            for (const NodeId id : nodes)
                if (graph[id].isCall())
                    ++m_begin[id.index() + 1];
        for (std::size_t i = 1; i < m_begin.size(); ++i)
            m_begin[i] += m_begin[i - 1];
        m_partitions.resize(m_begin.back());
        std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
        for (std::uint32_t p = 0; p < members.size(); ++p)
            for (const NodeId id : members[p])
                if (graph[id].isCall())
                    m_partitions[next[id.index()]++] = p;
    }

    [[nodiscard]] std::span<const std::uint32_t> of(NodeId id) const
    {
        return std::span(m_partitions).subspan(m_begin[id.index()], m_begin[id.index() + 1] - m_begin[id.index()]);
    }

private:
    std::vector<std::uint32_t> m_begin;
    std::vector<std::uint32_t> m_partitions; ///< ascending for each node
};

} // namespace

PartitionLinks partitionLinks(const Graph& graph, std::span<const std::vector<NodeId>> members)
{
    const Memberships memberships(graph, members);
    PartitionLinks links{.parents = std::vector<std::vector<std::uint32_t>>(members.size()),
                         .children = std::vector<std::vector<std::uint32_t>>(members.size())};
    for (std::uint32_t p = 0; p < members.size(); ++p) {
        std::vector<std::uint32_t>& children = links.children[p];
        for (const NodeId id : members[p]) {
            const auto holders = memberships.of(id);
            if (holders.empty())
                continue;
            for (const NodeId user : graph.users(id))
                for (const std::uint32_t q : memberships.of(user))
                    if (!std::binary_search(holders.begin(), holders.end(), q))
                        children.push_back(q);
        }
        std::sort(children.begin(), children.end());
        children.erase(std::unique(children.begin(), children.end()), children.end());
        for (const std::uint32_t q : children)
            links.parents[q].push_back(p);
    }
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
