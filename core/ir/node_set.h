#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// A set of nodes of one graph, stored as flags: selected, found, or marked nodes. Grows as needed.
class NodeSet final {
public:
    NodeSet() = default;
    explicit NodeSet(std::span<const NodeId> nodes)
    {
        for (const NodeId node : nodes)
            insert(node);
    }

    [[nodiscard]] bool contains(NodeId node) const
    {
        return node.isValid() && node.index() < m_flags.size() && m_flags[node.index()] != 0;
    }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Returns whether the node was not in the set before. Ignores an invalid id.
    bool insert(NodeId node)
    {
        if (!node.isValid() || contains(node))
            return false;
        if (node.index() >= m_flags.size())
            m_flags.resize(node.index() + 1, 0);
        m_flags[node.index()] = 1;
        ++m_size;
        return true;
    }
    void erase(NodeId node)
    {
        if (!contains(node))
            return;
        m_flags[node.index()] = 0;
        --m_size;
    }
    void clear()
    {
        m_flags.clear();
        m_size = 0;
    }
    /// Returns the members by ascending id. O(largest id).
    [[nodiscard]] std::vector<NodeId> nodes() const
    {
        std::vector<NodeId> members;
        members.reserve(m_size);
        for (std::uint32_t i = 0; i < m_flags.size(); ++i)
            if (m_flags[i] != 0)
                members.emplace_back(i);
        return members;
    }

private:
    std::vector<std::uint8_t> m_flags;
    std::size_t m_size = 0;
};

} // namespace sunder
