#pragma once

#include "ir/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The n:m correspondence between nodes of a result and nodes of the source. Nodes that a pass adds (boundary placeholders,
/// getitems, calls of parts) are marked as created; they may still correspond to the source value that they carry.
class IdentityMap {
public:
    struct Pair {
        NodeRef source;
        NodeRef result;
        bool created = false; ///< the result node carries the source's value across a boundary, but is not a copy
        friend auto operator<=>(const Pair&, const Pair&) = default;
    };

    void add(NodeRef source, NodeRef result, bool created = false) { m_pairs.push_back({source, result, created}); }
    void reserve(std::size_t pairs) { m_pairs.reserve(pairs); }
    /// Sorts the pairs. Call once after the last add(), before any look-up.
    void finish();

    /// Returns the counterparts of a source node, by graph and order of creation. O(log pairs).
    [[nodiscard]] std::span<const Pair> resultsOf(NodeRef source) const;
    /// Returns the counterparts of a result node. O(log pairs).
    [[nodiscard]] std::vector<Pair> sourcesOf(NodeRef result) const;
    [[nodiscard]] std::span<const Pair> pairs() const { return m_pairs; }

private:
    std::vector<Pair> m_pairs;                ///< by source
    std::vector<std::uint32_t> m_byResult;    ///< indices into m_pairs, by result
};

enum class Mapped : std::uint8_t {
    all,    ///< including nodes that only carry values across a boundary
    copies, ///< without those
};

/// Returns the results that correspond to nodes of one source graph, given in ascending order. O(nodes × log pairs), or O(pairs)
/// for many nodes.
std::vector<NodeRef> resultsOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeId> nodes,
                                    Mapped which = Mapped::all);

/// Returns the nodes of one source graph that correspond to these results, ascending and without duplicates. O(nodes × log
/// pairs).
std::vector<NodeId> sourcesOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeRef> results);

} // namespace sunder
