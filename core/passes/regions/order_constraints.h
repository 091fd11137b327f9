#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// A node's access to a resource that is not passed as a value: memory or global state.
struct MemoryAccess {
    std::uint32_t resource;
    bool writes;
};

/// Order of nodes that follows from their accesses to resources: a writer keeps its position relative to all other accesses of
/// the resource. Stores only the few edges that imply all others, so that the cost is linear in accesses.
class OrderConstraints {
public:
    OrderConstraints() = default;
    /// `touches`: (rank, access) pairs, by ascending rank, each resource once per node.
    OrderConstraints(std::uint32_t ranks, std::span<const std::pair<std::uint32_t, MemoryAccess>> touches);

    /// Nodes that must run before or after this one without data flow between them; implied ones are omitted.
    [[nodiscard]] std::span<const std::uint32_t> earlier(std::uint32_t rank) const { return m_earlier[rank]; }
    [[nodiscard]] std::span<const std::uint32_t> later(std::uint32_t rank) const { return m_later[rank]; }
    [[nodiscard]] std::span<const MemoryAccess> touches(std::uint32_t rank) const
    {
        return std::span(m_touches).subspan(m_begin[rank], m_begin[rank + 1] - m_begin[rank]);
    }
    /// Returns the first two nodes of a sequence, if any, that are in the wrong order: (should be earlier, should be later).
    /// O(accesses of the sequence).
    std::optional<std::pair<std::uint32_t, std::uint32_t>> findInversion(std::span<const std::uint32_t> sequence);

private:
    struct Resource {
        std::uint32_t lastWriter;
        std::vector<std::uint32_t> readersSince;
    };
    /// Highest ranks seen in the current sequence.
    struct Seen {
        std::uint32_t sequence = 0;
        std::optional<std::uint32_t> toucher;
        std::optional<std::uint32_t> writer;
    };

    std::vector<std::uint32_t> m_begin;
    std::vector<MemoryAccess> m_touches;
    NumberLists m_earlier;
    NumberLists m_later;
    std::vector<Seen> m_seen; ///< per resource; scratch of findInversion()
    std::uint32_t m_sequence = 0;
};

/// Returns the constraints recorded in a file. `mutated` records writes to a value, which affect every value in the same storage.
/// Known setters of global state (autocast, grad and inference mode, default dtype, determinism, hooks) keep their position among
/// all calls. O(nodes + arguments + size of `val`).
OrderConstraints recordedOrder(const RankedGraph& graph);

} // namespace sunder
