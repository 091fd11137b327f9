#include "analysis/run_order/memory_dependencies.h"

#include <algorithm>

namespace sunder {

void AccessLists::add(MemoryAccess access)
{
    std::uint32_t& last = m_lastOf[access.location];
    if (last > m_begin.back()) {
        MemoryAccess& known = m_accesses[last - 1];
        known.writes = known.writes || access.writes;
        known.usesFormOnly = known.usesFormOnly && access.usesFormOnly;
        return;
    }
    m_accesses.push_back(access);
    last = static_cast<std::uint32_t>(m_accesses.size());
}

MemoryDependencies::MemoryDependencies(AccessLists accesses) : m_accesses(std::move(accesses)), m_seen(m_accesses.locations())
{
    LastAccesses last(m_accesses.locations());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t rank = 0; rank < m_accesses.size(); ++rank)
        for (const MemoryAccess& access : m_accesses[rank])
            last.note(rank, access, [&](std::uint32_t before, bool /*writes*/) { edges.emplace_back(before, rank); });
    m_later = NumberLists(m_accesses.size(), edges);
    for (auto& [from, to] : edges)
        std::swap(from, to);
    m_earlier = NumberLists(m_accesses.size(), edges);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> MemoryDependencies::findInversion(std::span<const std::uint32_t> sequence)
{
    ++m_sequence;
    for (const std::uint32_t rank : sequence)
        for (const MemoryAccess& access : m_accesses[rank]) {
            Seen& seen = m_seen[access.location];
            if (seen.sequence != m_sequence)
                seen = {.sequence = m_sequence, .any = {}, .writer = {}};
            const std::optional<std::uint32_t>& against = access.writes ? seen.any : seen.writer;
            if (against && *against > rank)
                return std::pair(rank, *against);
            seen.any = std::max(seen.any.value_or(rank), rank);
            if (access.writes)
                seen.writer = std::max(seen.writer.value_or(rank), rank);
        }
    return std::nullopt;
}

} // namespace sunder
