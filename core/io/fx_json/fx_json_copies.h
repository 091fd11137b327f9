#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// Tells which nodes of a result a reader that holds the source can make by copying a node of it (`copies` lines). Nodes belong
/// together when their metadata, raw JSON that passes hand on as it is, is equal; in a source it has to differ from node to node.
class FxJsonCopies {
public:
    explicit FxJsonCopies(const Graph& source);

    /// Forgets the graph before; its nodes follow.
    void begin() { ++m_graph; }
    /// Position in the source of the node that equals `id` of `graph`: with its name, target, type and tag, and with its arguments
    /// once each node in them is replaced by the last one in `graph` that belongs to it. Nothing where there is none. To be called
    /// for each node, in order. O(arguments).
    std::optional<std::uint32_t> positionOf(const Graph& graph, NodeId id);

private:
    [[nodiscard]] bool isEqual(const Node& node, const Node& source) const;
    [[nodiscard]] bool isEqual(const Argument& argument, const Argument& source) const;

    [[nodiscard]] NodeId localOf(NodeId source) const;

    const Graph& m_source;
    std::unordered_map<InternedString, NodeId> m_byMeta;
    std::vector<std::uint32_t> m_positions;
    std::uint32_t m_graph = 0;
    std::vector<std::pair<std::uint32_t, NodeId>> m_local; ///< per NodeId of the source: graph, and what belongs to it there
};

} // namespace sunder
