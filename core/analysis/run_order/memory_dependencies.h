#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// An access of a node to a location: a memory, or something else that calls change without passing it as a value.
struct MemoryAccess {
    std::uint32_t location = 0;
    bool writes = false;
    bool usesFormOnly = false; ///< only uses address and shape of the memory
};

/// The accesses of nodes in graph order, each location once per node.
class AccessLists {
public:
    explicit AccessLists(std::size_t locations) : m_lastOf(locations, 0) {}

    /// Adds an access of the current node. Accesses to the same location are merged.
    void add(MemoryAccess access);
    /// Ends the list of the current node and begins that of the next one.
    void endNode() { m_begin.push_back(static_cast<std::uint32_t>(m_accesses.size())); }

    [[nodiscard]] std::size_t locations() const { return m_lastOf.size(); }
    /// Number of ended lists.
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_begin.size() - 1); }
    [[nodiscard]] std::span<const MemoryAccess> operator[](std::uint32_t rank) const
    {
        return std::span(m_accesses).subspan(m_begin[rank], m_begin[rank + 1] - m_begin[rank]);
    }

private:
    std::vector<std::uint32_t> m_begin = {0};
    std::vector<MemoryAccess> m_accesses;
    std::vector<std::uint32_t> m_lastOf; ///< per location: 1 + index of its last access
};

/// The last write to each location, and the reads since then.
class LastAccesses {
public:
    explicit LastAccesses(std::size_t locations) : m_last(locations) {}

    /// Notes an access and calls `visit(earlier, writes)` for the accesses that must come before it: the last write, or, before a
    /// write, the reads since then. All other pairs follow from these, so their number is linear in the number of accesses.
    template <typename Visit>
    void note(std::uint32_t rank, const MemoryAccess& access, const Visit& visit)
    {
        Last& last = m_last[access.location];
        if (last.writer != kNone && (!access.writes || last.readers.empty()))
            visit(last.writer, true);
        if (!access.writes) {
            last.readers.push_back(rank);
            return;
        }
        for (const std::uint32_t reader : last.readers)
            visit(reader, false);
        last.writer = rank;
        last.readers.clear();
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Last {
        std::uint32_t writer = kNone;
        std::vector<std::uint32_t> readers;
    };
    std::vector<Last> m_last; ///< per location
};

/// Order of nodes that follows from their accesses: a writer keeps its position relative to all other accesses of a location.
/// Stores only the few edges that imply all others, so that the cost is linear in accesses.
class MemoryDependencies {
public:
    explicit MemoryDependencies(AccessLists accesses);

    /// Nodes that must run before or after this one without data flow between them; implied ones are omitted.
    [[nodiscard]] std::span<const std::uint32_t> earlier(std::uint32_t rank) const { return m_earlier[rank]; }
    [[nodiscard]] std::span<const std::uint32_t> later(std::uint32_t rank) const { return m_later[rank]; }
    /// Returns the first two nodes of a sequence, if any, that are in the wrong order: (should be earlier, should be later).
    /// O(accesses of the sequence).
    std::optional<std::pair<std::uint32_t, std::uint32_t>> findInversion(std::span<const std::uint32_t> sequence);

private:
    /// Highest ranks seen in the current sequence.
    struct Seen {
        std::uint32_t sequence = 0;
        std::optional<std::uint32_t> any;
        std::optional<std::uint32_t> writer;
    };

    AccessLists m_accesses;
    NumberLists m_earlier;
    NumberLists m_later;
    std::vector<Seen> m_seen; ///< per location; scratch of findInversion()
    std::uint32_t m_sequence = 0;
};

} // namespace sunder
