#pragma once

#include "ir/ids.h"

#include <span>
#include <vector>

namespace sunder {

/// Which nodes of a result stand for which nodes of the source, n to m. Nodes that a pass made on its own (boundary
/// placeholders, getitems, calls of parts) are marked as created; they may still stand for the value that they carry.
class IdentityMap {
public:
    struct Pair {
        NodeRef source;
        NodeRef result;
        bool created = false; ///< the result node carries the source's value over a boundary, it is not its copy
        friend auto operator<=>(const Pair&, const Pair&) = default;
    };

    void add(NodeRef source, NodeRef result, bool created = false) { m_pairs.push_back({source, result, created}); }
    void reserve(std::size_t pairs) { m_pairs.reserve(pairs); }
    /// Sorts; call once after the last add(), before any look-up.
    void finish();

    /// Counterparts of a source node, by graph and position of creation. O(log pairs).
    [[nodiscard]] std::span<const Pair> resultsOf(NodeRef source) const;
    /// Counterparts of a result node. O(log pairs).
    [[nodiscard]] std::vector<Pair> sourcesOf(NodeRef result) const;
    [[nodiscard]] std::span<const Pair> pairs() const { return m_pairs; }

private:
    std::vector<Pair> m_pairs;                ///< by source
    std::vector<std::uint32_t> m_byResult;    ///< indices into m_pairs, by result
};

} // namespace sunder
