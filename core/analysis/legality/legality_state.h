#pragma once

#include "analysis/legality/finding.h"
#include "analysis/legality/global_setters.h"
#include "analysis/legality/legality_tables.h"
#include "analysis/legality/part_copies.h"
#include "analysis/legality/tag_links.h"
#include "analysis/tag_legality.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// Calls without a data edge to the rest of their tag, such as an accidental brush stroke leaves. Reported if they are few and
/// surrounded by other tags. A part with several large pieces (parallel branches) has no island. Calls that compute nothing
/// (assertions, unused results) are never reported: their position does not matter, and pictures do not show them.
struct CallIsland {
    std::int32_t tag = TagAssignment::kUntagged;
    std::vector<std::uint32_t> calls; ///< ascending
    std::int32_t neighbor = TagAssignment::kUntagged; ///< the other tag with the most edges to the island, the first in a tie
    friend bool operator==(const CallIsland&, const CallIsland&) = default;
};

/// An island has at most a tenth of the calls of its tag; all other pieces are large.
inline constexpr std::size_t kIslandShare = 10;

/// Finds islands of the tags for which `isWanted` (per tag) is 1, by their first calls. A piece without an edge to another tag is
/// not an island, since there is no tag to assign it to. `tagOf` is per call. O(calls + edges).
std::vector<CallIsland> findIslands(const LegalityTables& tables, std::span<const std::int32_t> tagOf,
                                    std::span<const std::uint8_t> isWanted);

/// A set of dense indices with ascending iteration in O(bound / 64 + members).
class IndexBits {
public:
    explicit IndexBits(std::size_t bound = 0) : m_words((bound + 63) / 64, 0) {}

    void put(std::uint32_t index, bool isIn)
    {
        std::uint64_t& word = m_words[index / 64];
        const std::uint64_t bit = std::uint64_t{1} << index % 64;
        if (isIn)
            word |= bit;
        else
            word &= ~bit;
    }
    [[nodiscard]] bool isEmpty() const
    {
        for (const std::uint64_t word : m_words)
            if (word != 0)
                return false;
        return true;
    }
    template <typename Visit>
    void forEach(const Visit& visit) const
    {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            for (std::uint64_t word = m_words[i]; word != 0; word &= word - 1)
                visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }

private:
    std::vector<std::uint64_t> m_words;
};

/// A node and its new tag: an index into the order, or kUntagged.
using TagChange = std::pair<NodeId, std::int32_t>;

/// The findings about a tag assignment, updated incrementally with each stroke.
class LegalityState {
public:
    LegalityState(LegalityTablesPtr tables, TagAssignment tags);

    [[nodiscard]] const LegalityTables& tables() const { return *m_tables; }
    [[nodiscard]] const TagAssignment& tags() const { return m_tags; }
    /// Returns the tag of a call.
    [[nodiscard]] std::int32_t tagOf(std::uint32_t call) const { return m_tagOf[call]; }
    /// Returns the number of calls with a tag.
    [[nodiscard]] std::uint32_t callsWith(std::int32_t tag) const { return m_counts[static_cast<std::size_t>(tag)]; }
    /// Returns the number of setters of global state that would run before a call; 0 unless the setters are tagged in order.
    /// O(log setters).
    [[nodiscard]] std::uint32_t settersBefore(std::uint32_t call) const;

    /// Changes the tags of nodes; ignores nodes that are not calls. O(edges, order dependencies and memories of the calls). If a
    /// call sets global state, all calls are examined again.
    void retag(std::span<const TagChange> changes);
    /// Takes over other tags of the same program. O(nodes), plus the cost of retag(). Rebuilds the state if the order of the tags
    /// differs.
    void follow(const TagAssignment& tags);

    /// Returns the same report as checkTags(). O(nodes / 64 + findings), plus pending work for islands, O(calls + edges), and
    /// cycles.
    [[nodiscard]] TagReport report();
    /// Returns all findings of the report as numbers that are stable between strokes, sorted. Same cost as report().
    [[nodiscard]] Findings findings();
    /// Same without islands (Finding::Kind::island), which are the most expensive.
    [[nodiscard]] Findings findingsButIslands();
    /// Returns what findings() would be after changes (each node once); leaves the state unchanged. Includes islands only if
    /// there is no new finding outside `known` except empty tags, so that useless changes are rejected quickly.
    [[nodiscard]] Findings findingsWith(std::span<const TagChange> changes, const Findings& known);
    /// Returns all links between tags, by data edges and runtime order dependencies, sorted.
    [[nodiscard]] std::vector<TagLinks::Pair> links() const { return m_links.pairs(); }

private:
    void build(TagAssignment tags);
    void setTag(std::uint32_t call, std::int32_t tag);
    void removeEdge(std::uint32_t edge);
    void addEdge(std::uint32_t edge);
    void countMemories(std::uint32_t call, std::int32_t tag, int step);
    void findStates();
    void placeCall(std::uint32_t call);
    void touchIslands(std::uint32_t call);
    void settleIslands();
    void settleCircles();
    void settleCopies();
    void settleRegions();
    [[nodiscard]] std::int32_t partOf(std::uint32_t call) const { return m_tagOf[m_tables->ownerOf[call]]; }
    [[nodiscard]] bool isBound(const LegalityTables::BoundValue& value) const;
    void addSeparate(Findings& found);
    void addSeparate(TagReport& report);
    void addIslands(Findings& found) const;
    void addErrors(TagReport& report) const;
    void addNotes(TagReport& report) const;
    void addTags(TagReport& report) const;
    [[nodiscard]] std::vector<TagCycle> witnessed() const;

    struct TagReaders {
        std::int32_t tag;
        std::uint32_t calls;
    };

    LegalityTablesPtr m_tables;
    TagAssignment m_tags;
    std::vector<std::int32_t> m_tagOf; ///< per call
    std::vector<std::uint32_t> m_counts; ///< per tag: calls
    IndexBits m_untagged; ///< calls
    IndexBits m_backward; ///< edges
    IndexBits m_broken; ///< orders
    IndexBits m_moved; ///< calls that would run under another global state
    IndexBits m_nonTensors; ///< calls whose non-tensor values cross a boundary
    IndexBits m_shared; ///< memories
    std::vector<std::uint32_t> m_crossings; ///< per call: number of edges to other tags
    std::vector<std::vector<TagReaders>> m_readers; ///< per memory, by tag
    TagLinks m_links;
    std::uint64_t m_boundaryBytes = 0;
    std::uint64_t m_duplicatedBytes = 0;
    std::vector<std::int32_t> m_setterTags; ///< per setter if they are in order; otherwise empty
    std::vector<std::uint8_t> m_isStale; ///< per tag: whether its islands are outdated
    std::vector<CallIsland> m_islands; ///< by first call
    std::vector<std::vector<std::int32_t>> m_circles;
    bool m_circlesAreStale = true;
    std::vector<std::vector<CopyConflict>> m_copies; ///< per written memory
    std::vector<std::uint32_t> m_staleCopies; ///< written memories with outdated conflicts
    std::vector<RegionCut> m_cuts;
    bool m_cutsAreStale = true;
};

} // namespace sunder
