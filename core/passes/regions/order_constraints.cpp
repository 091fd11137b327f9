#include "passes/regions/order_constraints.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffU;

} // namespace

OrderConstraints::OrderConstraints(std::uint32_t ranks, std::span<const std::pair<std::uint32_t, MemoryAccess>> touches)
    : m_begin(ranks + std::size_t{1}, 0)
{
    m_touches.reserve(touches.size());
    std::vector<Resource> resources;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& [rank, touch] : touches) {
        ++m_begin[rank + 1];
        m_touches.push_back(touch);
        if (touch.resource >= resources.size())
            resources.resize(touch.resource + std::size_t{1}, {kNobody, {}});
        Resource& resource = resources[touch.resource];
        if (resource.lastWriter != kNobody && (!touch.writes || resource.readersSince.empty()))
            edges.emplace_back(resource.lastWriter, rank);
        if (touch.writes) {
            for (const std::uint32_t reader : resource.readersSince)
                edges.emplace_back(reader, rank);
            resource = {rank, {}};
        } else {
            resource.readersSince.push_back(rank);
        }
    }
    for (std::size_t i = 1; i < m_begin.size(); ++i)
        m_begin[i] += m_begin[i - 1];
    m_later = NumberLists(ranks, edges);
    for (auto& [from, to] : edges)
        std::swap(from, to);
    m_earlier = NumberLists(ranks, edges);
    m_seen.resize(resources.size());
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> OrderConstraints::findInversion(std::span<const std::uint32_t> sequence)
{
    ++m_sequence;
    for (const std::uint32_t rank : sequence)
        for (const MemoryAccess touch : touches(rank)) {
            Seen& seen = m_seen[touch.resource];
            if (seen.sequence != m_sequence)
                seen = {.sequence = m_sequence, .toucher = {}, .writer = {}};
            const std::optional<std::uint32_t>& against = touch.writes ? seen.toucher : seen.writer;
            if (against && *against > rank)
                return std::pair(rank, *against);
            seen.toucher = std::max(seen.toucher.value_or(rank), rank);
            if (touch.writes)
                seen.writer = std::max(seen.writer.value_or(rank), rank);
        }
    return std::nullopt;
}

} // namespace sunder
