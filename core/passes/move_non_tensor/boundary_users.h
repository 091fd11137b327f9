#pragma once

#include "passes/move_non_tensor/move_non_tensor.h"

#include <array>

namespace sunder {

/// Up to two calls from different foreign subgraphs, with the subgraph of each at the time it was added.
struct ForeignUsers {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    struct User {
        NodeId node;
        std::uint32_t subgraph = kNone;
    };
    std::array<User, 2> users;

    [[nodiscard]] bool areNone() const { return users[0].subgraph == kNone; }
    [[nodiscard]] bool areInSeveral() const { return users[1].subgraph != kNone; }
    /// Adds a user. Returns false if nothing changes.
    bool add(User user)
    {
        if (user.subgraph == kNone || user.subgraph == users[0].subgraph || areInSeveral())
            return false;
        users[areNone() ? 0 : 1] = user;
        return true;
    }
};

/// The current subgraph of every node.
class NodePlaces {
public:
    static constexpr std::uint32_t kNone = ForeignUsers::kNone;

    explicit NodePlaces(const Graph& graph) : m_graph(graph), m_subgraph(graph.idBound(), kNone) {}

    [[nodiscard]] std::uint32_t operator[](NodeId id) const { return m_subgraph[id.index()]; }
    void set(NodeId id, std::uint32_t subgraph) { m_subgraph[id.index()] = subgraph; }
    /// Returns calls that use a node from other subgraphs. O(users).
    [[nodiscard]] ForeignUsers foreignUsers(NodeId id) const
    {
        ForeignUsers found;
        for (const NodeId user : m_graph.users(id))
            if (m_graph[user].isCall() && (*this)[user] != (*this)[id])
                found.add({user, (*this)[user]});
        return found;
    }

private:
    const Graph& m_graph;
    std::vector<std::uint32_t> m_subgraph; ///< per NodeId; kNone for nodes outside all subgraphs
};

} // namespace sunder
