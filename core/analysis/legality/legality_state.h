#pragma once

#include "analysis/legality/finding.h"
#include "analysis/legality/global_setters.h"
#include "analysis/legality/index_bits.h"
#include "analysis/legality/islands.h"
#include "analysis/legality/legality_tables.h"
#include "analysis/legality/part_copies.h"
#include "analysis/legality/tag_links.h"
#include "analysis/tag_legality.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// A node and the tag that it gets, an index into the order or kUntagged.
using TagChange = std::pair<NodeId, std::int32_t>;

/// What is to be said of tags, kept up to date stroke by stroke.
class LegalityState {
public:
    LegalityState(LegalityTablesPtr tables, TagAssignment tags);

    [[nodiscard]] const LegalityTables& tables() const { return *m_tables; }
    [[nodiscard]] const TagAssignment& tags() const { return m_tags; }
    /// The tag of a call.
    [[nodiscard]] std::int32_t tagOf(std::uint32_t call) const { return m_tagOf[call]; }
    /// How many calls have a tag.
    [[nodiscard]] std::uint32_t callsWith(std::int32_t tag) const { return m_counts[static_cast<std::size_t>(tag)]; }
    /// Where setters of state stand in their order, the place among them at which a call would run; 0 otherwise. O(log setters).
    [[nodiscard]] std::uint32_t settersBefore(std::uint32_t call) const;

    /// Gives nodes other tags; what is no call is passed over. O(edges, hidden orders and memories of the calls); where one of them
    /// sets global state, all calls are looked at again.
    void retag(std::span<const TagChange> changes);
    /// Takes over other tags of the same program, whatever changed. O(nodes), and as retag(); from scratch where the order of the
    /// tags is another.
    void follow(const TagAssignment& tags);

    /// The same as checkTags(). O(nodes / 64 + findings), and what is left to do for islands, O(calls + edges), and circles.
    [[nodiscard]] TagReport report();
    /// All that the report finds as numbers that stay the same from stroke to stroke, sorted. Cost as report().
    [[nodiscard]] Findings findings();
    /// Only what is at hand without islands, which are the dearest: no Finding::Kind::island is among them.
    [[nodiscard]] Findings findingsButIslands();
    /// What findings() would be with changes, each node once; the state is as it was. With islands only where there is no other
    /// finding that is not among `known`: what is no way out is known soon.
    [[nodiscard]] Findings findingsWith(std::span<const TagChange> changes, const Findings& known);
    /// All links between tags, of data and of hidden orders, sorted.
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
    [[nodiscard]] std::vector<TagCircle> witnessed() const;

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
    IndexBits m_moved; ///< calls that run under another state
    IndexBits m_nonTensors; ///< calls whose values cross and are no tensors
    IndexBits m_shared; ///< memories
    std::vector<std::uint32_t> m_crossings; ///< per call: edges to other tags
    std::vector<std::vector<TagReaders>> m_readers; ///< per memory, by tag
    TagLinks m_links;
    std::uint64_t m_boundaryBytes = 0;
    std::uint64_t m_duplicatedBytes = 0;
    std::vector<std::int32_t> m_setterTags; ///< per setter where they are in order; else empty
    std::vector<std::uint8_t> m_isStale; ///< per tag: its islands are to be found again
    std::vector<CallIsland> m_islands; ///< by first calls
    std::vector<std::vector<std::int32_t>> m_circles;
    bool m_circlesAreStale = true;
    std::vector<std::vector<CopyConflict>> m_copies; ///< per written memory
    std::vector<std::uint32_t> m_staleCopies; ///< written memories to look at again
    std::vector<RegionCut> m_cuts;
    bool m_cutsAreStale = true;
};

} // namespace sunder
