#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// A node's use of something that is not passed as a value: memory, the global state.
struct Touch {
    std::uint32_t resource;
    bool writes;
};

/// What nodes touch and in which order they must therefore stay: whoever writes to a resource keeps its place among all
/// who touch it. Kept as the few edges that imply all others, so that the cost is linear in touches.
class OrderConstraints {
public:
    OrderConstraints() = default;
    /// `touches[i]` of `nodes[i]`; nodes in rising rank, each resource once a node.
    OrderConstraints(std::uint32_t ranks, std::span<const std::pair<std::uint32_t, Touch>> touches);

    /// Nodes that must run before or after this one although it takes nothing from them; those implied by others left out.
    [[nodiscard]] std::span<const std::uint32_t> earlier(std::uint32_t rank) const { return m_earlier[rank]; }
    [[nodiscard]] std::span<const std::uint32_t> later(std::uint32_t rank) const { return m_later[rank]; }
    [[nodiscard]] std::span<const Touch> touches(std::uint32_t rank) const
    {
        return std::span(m_touches).subspan(m_begin[rank], m_begin[rank + 1] - m_begin[rank]);
    }
    /// The first two nodes of a sequence, if any, that stand the wrong way round: (should be earlier, should be later).
    /// O(touches of the sequence).
    std::optional<std::pair<std::uint32_t, std::uint32_t>> turnedRound(std::span<const std::uint32_t> sequence);

private:
    struct Resource {
        std::uint32_t lastWriter;
        std::vector<std::uint32_t> readersSince;
    };
    /// Highest ranks seen in one sequence.
    struct Seen {
        std::uint32_t sequence = 0;
        std::optional<std::uint32_t> toucher;
        std::optional<std::uint32_t> writer;
    };

    std::vector<std::uint32_t> m_begin;
    std::vector<Touch> m_touches;
    NumberLists m_earlier;
    NumberLists m_later;
    std::vector<Seen> m_seen; ///< per resource; scratch of turnedRound()
    std::uint32_t m_sequence = 0;
};

/// The constraints that a file records: writes by `mutated` to a value and to every value in the same storage, and the
/// known setters of global state (autocast, grad and inference mode, default dtype, determinism, hooks), whose place
/// among all calls is kept. O(nodes + arguments + what `val` holds).
OrderConstraints recordedOrder(const RankedGraph& graph);

} // namespace sunder
