// Compares the parts of a source's calls in two results. Parts are paired first, by name or by shared calls, so that renumbered
// parts do not appear as if every node had moved. Each call is then examined once.
#include "analysis/cut/compare_assignments.h"

#include "analysis/cut/heaviest_pairing.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::int32_t kNoPart = TagAssignment::kUntagged;
constexpr std::size_t kMaxPairedBest = 256; ///< parts; the time for more would be noticed, so they are paired largest first

struct Overlap {
    std::int32_t before;
    std::int32_t after;
    std::size_t calls;
};

/// Returns pairs of parts that share calls, by (before, after).
std::vector<Overlap> overlapsOf(const std::vector<std::int32_t>& before, const std::vector<std::int32_t>& after)
{
    std::unordered_map<std::uint64_t, std::size_t> counts;
    for (std::size_t call = 0; call < before.size(); ++call)
        if (before[call] >= 0 && after[call] >= 0)
            ++counts[static_cast<std::uint64_t>(before[call]) << 32U | static_cast<std::uint32_t>(after[call])];
    std::vector<Overlap> overlaps;
    for (const auto& [pair, calls] : counts)
        overlaps.push_back({static_cast<std::int32_t>(pair >> 32U), static_cast<std::int32_t>(pair & 0xffffffffU), calls});
    std::sort(overlaps.begin(), overlaps.end(),
              [](const Overlap& a, const Overlap& b) { return std::tie(a.before, a.after) < std::tie(b.before, b.after); });
    return overlaps;
}

class Matcher {
public:
    Matcher(const TagAssignment& before, const TagAssignment& after, std::vector<Overlap> overlaps)
        : m_before(before), m_after(after), m_overlaps(std::move(overlaps)), m_afterOf(before.order.size(), kNoPart),
          m_beforeOf(after.order.size(), kNoPart), m_isByName(after.order.size(), 0)
    {
    }

    void matchNames()
    {
        std::unordered_map<InternedString, std::int32_t> places;
        for (std::size_t i = 0; i < m_before.order.size(); ++i)
            places[m_before.order[i]] = static_cast<std::int32_t>(i); // for duplicate names, the last position is used
        for (std::size_t i = m_after.order.size(); i-- > 0;)
            if (const auto found = places.find(m_after.order[i]);
                found != places.end() && m_afterOf[static_cast<std::size_t>(found->second)] == kNoPart) {
                pair(found->second, static_cast<std::int32_t>(i));
                m_isByName[i] = 1;
            }
    }

    /// Pairs the remaining parts so that the fewest calls moved.
    void matchOverlaps()
    {
        const std::vector<std::int32_t> rows = unmatched(m_afterOf);
        const std::vector<std::int32_t> columns = unmatched(m_beforeOf);
        if (rows.size() > kMaxPairedBest || columns.size() > kMaxPairedBest)
            return matchLargestFirst();
        PairWeights weights(rows.size(), std::vector<std::int64_t>(columns.size(), 0));
        const auto placeIn = [](const std::vector<std::int32_t>& of, std::int32_t part) {
            return static_cast<std::size_t>(std::ranges::lower_bound(of, part) - of.begin());
        };
        for (const Overlap& overlap : m_overlaps)
            if (isUnmatched(overlap)) // of several best pairings, the one that keeps the numbers of most parts
                weights[placeIn(rows, overlap.before)][placeIn(columns, overlap.after)] = static_cast<std::int64_t>(
                                                                                              overlap.calls * (rows.size() + 1))
                    + (overlap.before == overlap.after ? 1 : 0);
        const std::vector<std::int32_t> columnOf = heaviestPairing(weights);
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (columnOf[row] >= 0)
                pair(rows[row], columns[static_cast<std::size_t>(columnOf[row])]);
    }

    std::vector<PartPair> pairs() const
    {
        std::vector<PartPair> pairs;
        for (std::size_t i = 0; i < m_beforeOf.size(); ++i)
            pairs.push_back({m_beforeOf[i], static_cast<std::int32_t>(i), m_isByName[i] != 0});
        for (std::size_t i = 0; i < m_afterOf.size(); ++i)
            if (m_afterOf[i] == kNoPart)
                pairs.push_back({static_cast<std::int32_t>(i), kNoPart, false});
        return pairs;
    }

    /// Returns the counterpart of a part of the first cut.
    std::int32_t afterOf(std::int32_t before) const
    {
        return before >= 0 ? m_afterOf[static_cast<std::size_t>(before)] : kNoPart;
    }

private:
    [[nodiscard]] bool isUnmatched(const Overlap& overlap) const
    {
        return m_afterOf[static_cast<std::size_t>(overlap.before)] == kNoPart
            && m_beforeOf[static_cast<std::size_t>(overlap.after)] == kNoPart;
    }

    static std::vector<std::int32_t> unmatched(const std::vector<std::int32_t>& counterparts)
    {
        std::vector<std::int32_t> parts;
        for (std::size_t i = 0; i < counterparts.size(); ++i)
            if (counterparts[i] == kNoPart)
                parts.push_back(static_cast<std::int32_t>(i));
        return parts;
    }

    void matchLargestFirst()
    {
        std::stable_sort(m_overlaps.begin(), m_overlaps.end(),
                         [](const Overlap& a, const Overlap& b) { return a.calls > b.calls; });
        for (const Overlap& overlap : m_overlaps)
            if (isUnmatched(overlap))
                pair(overlap.before, overlap.after);
    }

    void pair(std::int32_t before, std::int32_t after)
    {
        m_afterOf[static_cast<std::size_t>(before)] = after;
        m_beforeOf[static_cast<std::size_t>(after)] = before;
    }

    const TagAssignment& m_before;
    const TagAssignment& m_after;
    std::vector<Overlap> m_overlaps;
    std::vector<std::int32_t> m_afterOf;
    std::vector<std::int32_t> m_beforeOf;
    std::vector<char> m_isByName; ///< per part of the second cut
};

void groupMoves(const CutGraph& graph, AssignmentComparison& out)
{
    std::map<std::pair<std::int32_t, std::int32_t>, MoveGroup> groups;
    for (const MovedNode& moved : out.moved) {
        MoveGroup& group = groups[{moved.before, moved.after}];
        group.before = moved.before;
        group.after = moved.after;
        ++group.calls;
        group.bytes += graph.bytes[graph.valueOf[moved.node.index()]];
    }
    for (const auto& [pair, group] : groups)
        out.groups.push_back(group);
    std::stable_sort(out.groups.begin(), out.groups.end(),
                     [](const MoveGroup& a, const MoveGroup& b) { return a.calls > b.calls; });
}

} // namespace

AssignmentComparison compareAssignments(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after,
                                        PartMatching matching)
{
    const std::vector<std::int32_t> partBefore = partsOfCalls(graph, before);
    const std::vector<std::int32_t> partAfter = partsOfCalls(graph, after);
    Matcher matcher(before, after, overlapsOf(partBefore, partAfter));
    if (matching == PartMatching::names)
        matcher.matchNames();
    matcher.matchOverlaps();
    AssignmentComparison out{.parts = matcher.pairs(), .moved = {}, .groups = {}};
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        const bool isInNone = partBefore[call] < 0 && partAfter[call] < 0;
        if (!isInNone && (partBefore[call] < 0 || matcher.afterOf(partBefore[call]) != partAfter[call] || partAfter[call] < 0))
            out.moved.push_back({graph.nodes[call], partBefore[call], partAfter[call]});
    }
    groupMoves(graph, out);
    return out;
}

} // namespace sunder
