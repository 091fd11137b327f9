#pragma once

#include "ir/graph.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace sunder::test {

/// A direct, slow implementation of the corrected size-based partitioner of 2020: sets of nodes, with links and levels recomputed
/// for every merge. Uses the sizes of the file. Checks nothing.
class PlainPartitioner {
public:
    struct Part {
        std::set<NodeId> members;
        std::uint64_t used = 0;
    };

    PlainPartitioner(const Graph& graph, std::uint64_t deviceBytes) : m_graph(graph), m_deviceBytes(deviceBytes) {}

    std::vector<Part> run()
    {
        pack();
        while (mergeOnce()) {
        }
        const std::vector<std::uint32_t> position = m_graph.positions();
        const auto firstCall = [&](const Part& part) {
            std::uint32_t first = 0xffffffffU;
            for (const NodeId id : part.members)
                if (m_graph[id].isCall())
                    first = std::min(first, position[id.index()]);
            return first;
        };
        std::sort(m_parts.begin(), m_parts.end(), [&](const Part& a, const Part& b) { return firstCall(a) < firstCall(b); });
        return m_parts;
    }

private:
    [[nodiscard]] std::uint64_t need(NodeId id, const Part& part) const
    {
        std::uint64_t bytes = m_graph[id].sizeBytes->total;
        for (const NodeId input : m_graph.inputs(id))
            bytes += part.members.contains(input) ? 0 : m_graph[input].sizeBytes->output;
        return bytes;
    }

    void pack()
    {
        m_parts.emplace_back();
        for (const NodeId id : m_graph.nodes()) {
            if (!m_graph[id].isCall())
                continue;
            if (m_parts.back().used + need(id, m_parts.back()) > m_deviceBytes)
                m_parts.emplace_back();
            m_parts.back().used += need(id, m_parts.back());
            m_parts.back().members.insert(id);
            for (const NodeId input : m_graph.inputs(id))
                if (!m_graph[input].isCall())
                    m_parts.back().members.insert(input);
        }
    }

    [[nodiscard]] bool feeds(const Part& from, const Part& to) const
    {
        for (const NodeId id : from.members)
            for (const NodeId user : m_graph.users(id))
                if (to.members.contains(user) && !to.members.contains(id))
                    return true;
        return false;
    }

    [[nodiscard]] int level(std::size_t part) const
    {
        int longest = 0;
        for (std::size_t other = 0; other < m_parts.size(); ++other)
            if (other != part && feeds(m_parts[other], m_parts[part]))
                longest = std::max(longest, level(other) + 1);
        return longest;
    }

    bool mergeOnce()
    {
        std::vector<std::size_t> bySize(m_parts.size());
        std::iota(bySize.begin(), bySize.end(), std::size_t{0});
        std::stable_sort(bySize.begin(), bySize.end(), [this](auto a, auto b) { return m_parts[a].used < m_parts[b].used; });
        const std::size_t smallest = bySize.front();
        for (std::size_t i = bySize.size(); i-- > 1;) {
            const std::size_t other = bySize[i];
            if (m_parts[other].used + m_parts[smallest].used > m_deviceBytes || std::abs(level(other) - level(smallest)) > 1)
                continue;
            Part joined = m_parts[other];
            joined.used += m_parts[smallest].used;
            joined.members.insert(m_parts[smallest].members.begin(), m_parts[smallest].members.end());
            m_parts.erase(m_parts.begin() + static_cast<std::ptrdiff_t>(std::max(smallest, other)));
            m_parts.erase(m_parts.begin() + static_cast<std::ptrdiff_t>(std::min(smallest, other)));
            m_parts.push_back(std::move(joined));
            return true;
        }
        return false;
    }

    const Graph& m_graph;
    std::uint64_t m_deviceBytes;
    std::vector<Part> m_parts; ///< in the order in which they were closed
};

} // namespace sunder::test
