#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// Finds the nodes of a result that a reader with the source in memory can copy from it (`copies` lines). Nodes correspond if
/// they have equal metadata, which is raw JSON that passes keep unchanged and must be unique in the source.
class FxJsonCopies {
public:
    explicit FxJsonCopies(const Graph& source);

    /// Starts a new graph.
    void begin() { ++m_graph; }
    /// Returns the source position of the node that equals `id` of `graph`: same name, target, type, and tag, and same arguments
    /// after each source node in them is replaced by its last counterpart in `graph`. Empty if there is none. Call it for each
    /// node, in order. O(arguments).
    std::optional<std::uint32_t> positionOf(const Graph& graph, NodeId id);

private:
    [[nodiscard]] bool isEqual(const Node& node, const Node& source) const;
    [[nodiscard]] bool isEqual(const Argument& argument, const Argument& source) const;

    [[nodiscard]] NodeId localOf(NodeId source) const;

    const Graph& m_source;
    std::unordered_map<InternedString, NodeId> m_byMeta;
    std::vector<std::uint32_t> m_positions;
    std::uint32_t m_graph = 0;
    std::vector<std::pair<std::uint32_t, NodeId>> m_local; ///< per NodeId of the source: graph and counterpart
};

} // namespace sunder
