#include "analysis/legality/islands.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sunder {
namespace {

/// Connected calls with equal tags, as a union-find whose root is the first call of a piece.
class TagPieces {
public:
    TagPieces(const LegalityTables& tables, std::span<const std::int32_t> tagOf, std::span<const std::uint8_t> isWanted)
        : m_first(tables.callCount())
    {
        std::iota(m_first.begin(), m_first.end(), 0U);
        for (const LegalityTables::Edge& edge : tables.edges) {
            const std::int32_t tag = tagOf[edge.from];
            if (tag >= 0 && tag == tagOf[edge.to] && isWanted[static_cast<std::size_t>(tag)] != 0)
                join(edge.from, edge.to);
        }
    }

    std::uint32_t firstOf(std::uint32_t call)
    {
        while (m_first[call] != call)
            call = m_first[call] = m_first[m_first[call]];
        return call;
    }

private:
    void join(std::uint32_t a, std::uint32_t b)
    {
        a = firstOf(a);
        b = firstOf(b);
        m_first[std::max(a, b)] = std::min(a, b);
    }

    std::vector<std::uint32_t> m_first;
};

std::int32_t neighborOf(const LegalityTables& tables, std::span<const std::int32_t> tagOf, const CallIsland& island)
{
    std::map<std::int32_t, std::size_t> edges;
    const auto count = [&](std::uint32_t other) {
        if (tagOf[other] >= 0 && tagOf[other] != island.tag)
            ++edges[tagOf[other]];
    };
    for (const std::uint32_t call : island.calls) {
        for (std::uint32_t edge = tables.edgesOf[call]; edge < tables.edgesOf[call + 1]; ++edge)
            count(tables.edges[edge].from);
        for (const std::uint32_t edge : tables.usesOf[call])
            count(tables.edges[edge].to);
    }
    const auto most = std::ranges::max_element(edges, {}, [](const auto& entry) { return entry.second; });
    return most != edges.end() ? most->first : TagAssignment::kUntagged;
}

} // namespace

std::vector<CallIsland> findIslands(const LegalityTables& tables, std::span<const std::int32_t> tagOf,
                                    std::span<const std::uint8_t> isWanted)
{
    TagPieces pieces(tables, tagOf, isWanted);
    std::vector<std::uint32_t> sizes(tables.callCount(), 0); // per first call of a piece
    std::vector<char> computes(tables.callCount(), 0);       // likewise
    std::vector<std::uint32_t> calls(isWanted.size(), 0);    // per tag
    std::vector<std::uint32_t> largest(isWanted.size(), LegalityTables::kNone);
    const auto isOfWanted = [&](std::uint32_t call) {
        return tagOf[call] >= 0 && isWanted[static_cast<std::size_t>(tagOf[call])] != 0;
    };
    for (std::uint32_t call = 0; call < tables.callCount(); ++call)
        if (isOfWanted(call)) {
            const std::uint32_t first = pieces.firstOf(call);
            ++sizes[first];
            if (tables.isDeadNode[call] == 0)
                computes[first] = 1;
            ++calls[static_cast<std::size_t>(tagOf[call])];
        }
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        if (sizes[call] == 0)
            continue;
        std::uint32_t& best = largest[static_cast<std::size_t>(tagOf[call])];
        if (best == LegalityTables::kNone || sizes[call] > sizes[best])
            best = call;
    }
    std::map<std::uint32_t, CallIsland> found; // by first call
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        if (!isOfWanted(call))
            continue;
        const std::uint32_t first = pieces.firstOf(call);
        const auto tag = static_cast<std::size_t>(tagOf[call]);
        if (first == largest[tag] || computes[first] == 0 || sizes[first] * kIslandShare > calls[tag])
            continue;
        CallIsland& island = found[first];
        island.tag = tagOf[call];
        island.calls.push_back(call);
    }
    std::vector<CallIsland> islands;
    for (auto& [first, island] : found)
        if ((island.neighbor = neighborOf(tables, tagOf, island)) >= 0)
            islands.push_back(std::move(island));
    return islands;
}

} // namespace sunder
