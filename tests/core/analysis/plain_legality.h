#pragma once

#include "analysis/legality/legality_tables.h"
#include "analysis/tag_legality.h"

#include <algorithm>
#include <map>
#include <set>

namespace sunder::test {

/// Problems of tags computed directly from their definitions: all pairs of calls, and all circles of tags. Shares only the tables
/// of the program with the code under test, nothing that depends on tags.
class PlainLegality {
public:
    PlainLegality(const LegalityTables& tables, const TagAssignment& tags) : m_tables(tables), m_tags(tags) {}

    [[nodiscard]] std::int32_t tag(std::uint32_t call) const { return m_tags[m_tables.nodes[call]]; }

    [[nodiscard]] TagReport report() const
    {
        TagReport found;
        const std::uint32_t calls = m_tables.callCount();
        for (std::uint32_t call = 0; call < calls; ++call)
            if (tag(call) < 0)
                found.untagged.push_back(m_tables.nodes[call]);
        std::set<std::uint32_t> crossed;
        for (std::uint32_t edge = 0; edge < m_tables.edges.size(); ++edge) {
            const auto [from, to] = m_tables.edges[edge];
            if (tag(from) < 0 || tag(to) < 0 || tag(from) == tag(to))
                continue;
            if (tag(from) > tag(to))
                found.backward.push_back({m_tables.nodes[from], m_tables.nodes[to], tag(from), tag(to), m_tables.bytes[from]});
            if (crossed.insert(from).second)
                found.boundaryBytes += m_tables.bytes[from];
        }
        for (const std::uint32_t from : crossed)
            if (!countsAsTensor(m_tables.kinds[from]))
                for (const LegalityTables::Edge& edge : m_tables.edges)
                    if (edge.from == from && tag(edge.to) >= 0 && tag(edge.to) != tag(from)) {
                        found.nonTensors.push_back(
                            {m_tables.nodes[from], m_tables.nodes[edge.to], tag(from), m_tables.kinds[from]});
                        break;
                    }
        addOrders(found);
        addRegions(found);
        addShared(found);
        addIslands(found);
        for (std::size_t i = 0; i < m_tags.order.size(); ++i) {
            bool isEmpty = true;
            for (std::uint32_t call = 0; call < calls; ++call)
                isEmpty = isEmpty && tag(call) != static_cast<std::int32_t>(i);
            if (isEmpty)
                found.emptyTags.push_back(static_cast<std::int32_t>(i));
        }
        return found;
    }

    /// Length of the shortest circle among tags, by trying paths of every length; 0 if there is none.
    [[nodiscard]] std::size_t shortestCircle() const
    {
        const std::size_t count = m_tags.order.size();
        std::vector<std::vector<char>> leads(count, std::vector<char>(count, 0));
        const auto link = [&](std::uint32_t from, std::uint32_t to) {
            if (tag(from) >= 0 && tag(to) >= 0 && tag(from) != tag(to))
                leads[static_cast<std::size_t>(tag(from))][static_cast<std::size_t>(tag(to))] = 1;
        };
        for (const LegalityTables::Edge& edge : m_tables.edges)
            link(edge.from, edge.to);
        for (const LegalityTables::OrderedCalls& order : m_tables.orderedCalls)
            link(order.before, order.after);
        std::vector<std::vector<char>> ways = leads; // of `length` steps
        for (std::size_t length = 1; length <= count; ++length) {
            for (std::size_t tag = 0; tag < count; ++tag)
                if (ways[tag][tag] != 0)
                    return length;
            std::vector<std::vector<char>> next(count, std::vector<char>(count, 0));
            for (std::size_t a = 0; a < count; ++a)
                for (std::size_t b = 0; b < count; ++b)
                    for (std::size_t c = 0; c < count; ++c)
                        next[a][c] = next[a][c] != 0 || (ways[a][b] != 0 && leads[b][c] != 0) ? 1 : 0;
            ways = next;
        }
        return 0;
    }

    /// Whether a call runs before another one: parts run in order, calls of a part in graph order.
    [[nodiscard]] bool runsBefore(std::uint32_t a, std::uint32_t b) const { return std::pair(tag(a), a) < std::pair(tag(b), b); }

private:
    void addOrders(TagReport& found) const
    {
        for (std::size_t i = 0; i < m_tables.orders.size(); ++i) {
            const auto [before, after] = m_tables.orderedCalls[i];
            if (tag(before) >= 0 && tag(after) >= 0 && tag(before) > tag(after))
                found.orders.push_back({m_tables.orders[i], tag(before), tag(after)});
        }
    }

    void addRegions(TagReport& found) const
    {
        for (std::size_t i = 0; i < m_tables.setters.size(); ++i)
            if (tag(m_tables.setters[i]) < 0 || (i > 0 && tag(m_tables.setters[i - 1]) > tag(m_tables.setters[i])))
                return;
        for (std::uint32_t call = 0; call < m_tables.callCount(); ++call) {
            if (tag(call) < 0 || m_tables.noticesState[call] == 0)
                continue;
            std::uint32_t stands = 0;
            std::uint32_t runs = 0;
            for (const std::uint32_t setter : m_tables.setters) {
                stands += setter < call ? 1 : 0;
                runs += runsBefore(setter, call) ? 1 : 0;
            }
            if (m_tables.stateAt(stands) == m_tables.stateAt(runs))
                continue;
            const std::uint32_t setter = m_tables.setters[runs < stands ? stands - 1 : stands];
            found.regions.push_back({m_tables.nodes[call], m_tables.nodes[setter], tag(call), tag(setter), runs < stands});
        }
    }

    void addShared(TagReport& found) const
    {
        for (std::uint32_t memory = 0; memory < m_tables.memoryBytes.size(); ++memory) {
            std::set<std::int32_t> tags;
            for (std::uint32_t call = 0; call < m_tables.callCount(); ++call)
                if (tag(call) >= 0 && std::ranges::find(m_tables.memories[call], memory) != m_tables.memories[call].end())
                    tags.insert(tag(call));
            if (tags.size() < 2)
                continue;
            found.shared.push_back({m_tables.tensorOfMemory[memory], {tags.begin(), tags.end()}, m_tables.memoryBytes[memory]});
            found.duplicatedBytes += m_tables.memoryBytes[memory] * (tags.size() - 1);
        }
    }

    /// The calls of the same tag that are connected to this call by edges.
    [[nodiscard]] std::set<std::uint32_t> pieceOf(std::uint32_t call) const
    {
        std::set<std::uint32_t> piece = {call};
        for (std::size_t before = 0; before != piece.size();) {
            before = piece.size();
            for (const LegalityTables::Edge& edge : m_tables.edges)
                if (tag(edge.from) == tag(edge.to) && (piece.contains(edge.from) || piece.contains(edge.to))) {
                    piece.insert(edge.from);
                    piece.insert(edge.to);
                }
        }
        return piece;
    }

    void addIslands(TagReport& found) const
    {
        std::map<std::uint32_t, std::set<std::uint32_t>> pieces; // by first call
        std::map<std::int32_t, std::set<std::uint32_t>> largest; // by tag
        std::map<std::int32_t, std::size_t> calls;
        for (std::uint32_t call = 0; call < m_tables.callCount(); ++call) {
            if (tag(call) < 0)
                continue;
            ++calls[tag(call)];
            const std::set<std::uint32_t> piece = pieceOf(call);
            pieces[*piece.begin()] = piece;
            if (piece.size() > largest[tag(call)].size())
                largest[tag(call)] = piece;
        }
        for (const auto& [first, piece] : pieces) {
            if (piece == largest[tag(first)] || piece.size() * kShare > calls[tag(first)])
                continue;
            if (std::ranges::all_of(piece, [&](std::uint32_t call) { return m_tables.isDeadNode[call] != 0; }))
                continue;
            std::map<std::int32_t, int> others;
            for (const LegalityTables::Edge& edge : m_tables.edges) {
                if (piece.contains(edge.from) && tag(edge.to) >= 0 && tag(edge.to) != tag(first))
                    ++others[tag(edge.to)];
                if (piece.contains(edge.to) && tag(edge.from) >= 0 && tag(edge.from) != tag(first))
                    ++others[tag(edge.from)];
            }
            TagIsland island{.tag = tag(first), .neighbor = -1, .nodes = {}};
            int most = 0;
            for (const auto& [other, count] : others)
                if (count > most) {
                    most = count;
                    island.neighbor = other;
                }
            if (island.neighbor < 0)
                continue;
            for (const std::uint32_t call : piece)
                island.nodes.push_back(m_tables.nodes[call]);
            found.islands.push_back(std::move(island));
        }
    }

    static constexpr std::size_t kShare = 10; ///< an island has at most a tenth of the calls of its tag

    const LegalityTables& m_tables;
    const TagAssignment& m_tags;
};

} // namespace sunder::test
