#include "analysis/cut/compare_assignments.h"

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

// Compares the parts of a source's calls in two results. Parts are paired first, by name or by shared calls, so that renumbered
// parts do not appear as if every node had moved. Each call is then examined once.

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

namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int32_t kUnpaired = -1;

PairWeights transposed(const PairWeights& weights)
{
    PairWeights result(weights.front().size(), std::vector<std::int64_t>(weights.size()));
    for (std::size_t row = 0; row < weights.size(); ++row)
        for (std::size_t column = 0; column < weights[row].size(); ++column)
            result[column][row] = weights[row][column];
    return result;
}

/// Adds one row after the other to a cheapest pairing. Costs are negative weights; potentials keep all reduced costs at 0 or
/// above. Index 0 is a placeholder for an unpaired row or column. Needs at least as many columns as rows.
class Pairing {
public:
    explicit Pairing(const PairWeights& weights)
        : m_weights(weights), m_columns(weights.front().size()), m_rowPotential(weights.size() + 1, 0),
          m_columnPotential(m_columns + 1, 0), m_rowOf(m_columns + 1, 0)
    {
        for (std::size_t row = 1; row <= weights.size(); ++row)
            add(row);
    }

    [[nodiscard]] std::vector<std::int32_t> columns() const
    {
        std::vector<std::int32_t> result(m_weights.size(), kUnpaired);
        for (std::size_t column = 1; column <= m_columns; ++column)
            if (m_rowOf[column] != 0 && m_weights[m_rowOf[column] - 1][column - 1] > 0)
                result[m_rowOf[column] - 1] = static_cast<std::int32_t>(column - 1);
        return result;
    }

private:
    void add(std::size_t row)
    {
        std::vector<std::int64_t> least(m_columns + 1, kInfinite); // reduced cost to reach a column
        std::vector<std::size_t> from(m_columns + 1, 0); // column before it on the path
        std::vector<char> isReached(m_columns + 1, 0);
        std::size_t at = 0;
        m_rowOf[0] = row;
        while (m_rowOf[at] != 0) {
            isReached[at] = 1;
            const std::size_t next = relax(at, least, from, isReached);
            const std::int64_t step = least[next];
            for (std::size_t column = 0; column <= m_columns; ++column) {
                if (isReached[column] != 0) {
                    m_rowPotential[m_rowOf[column]] += step;
                    m_columnPotential[column] -= step;
                } else {
                    least[column] -= step;
                }
            }
            at = next;
        }
        for (; at != 0; at = from[at]) // shifts the pairs along the path
            m_rowOf[at] = m_rowOf[from[at]];
    }

    /// Follows the row of a reached column to all others. Returns the nearest column that is not reached yet.
    std::size_t relax(std::size_t at, std::vector<std::int64_t>& least, std::vector<std::size_t>& from,
                      const std::vector<char>& isReached) const
    {
        const std::size_t row = m_rowOf[at];
        std::size_t nearest = 0;
        for (std::size_t column = 1; column <= m_columns; ++column) {
            if (isReached[column] != 0)
                continue;
            const std::int64_t cost = -m_weights[row - 1][column - 1] - m_rowPotential[row] - m_columnPotential[column];
            if (cost < least[column]) {
                least[column] = cost;
                from[column] = at;
            }
            if (nearest == 0 || least[column] < least[nearest])
                nearest = column;
        }
        return nearest;
    }

    const PairWeights& m_weights;
    std::size_t m_columns;
    std::vector<std::int64_t> m_rowPotential;
    std::vector<std::int64_t> m_columnPotential;
    std::vector<std::size_t> m_rowOf; ///< per column
};

} // namespace

std::vector<std::int32_t> heaviestPairing(const PairWeights& weights)
{
    if (weights.empty() || weights.front().empty())
        return std::vector<std::int32_t>(weights.size(), kUnpaired);
    if (weights.size() <= weights.front().size())
        return Pairing(weights).columns();
    std::vector<std::int32_t> columnOf(weights.size(), kUnpaired);
    const PairWeights turned = transposed(weights);
    const std::vector<std::int32_t> rowOf = Pairing(turned).columns();
    for (std::size_t column = 0; column < rowOf.size(); ++column)
        if (rowOf[column] >= 0)
            columnOf[static_cast<std::size_t>(rowOf[column])] = static_cast<std::int32_t>(column);
    return columnOf;
}

} // namespace sunder

// Compares two module hierarchies of one flat program. Modules are identified by path: a call has moved if its copy is in the
// graph of a module with another path. Modules whose graph size differs, and modules in only one tree, are listed as well,
// because a signature can change without moving a call.

namespace sunder {
namespace {

/// Returns the module of each source call in a result. `order` holds the paths of the modules that own a graph, in tree order (""
/// is the root). A call belongs to the module whose graph has its copy (the first of several). Calls without a copy, and calls in
/// graphs without an owner, are in none. O(nodes + modules + pairs).
TagAssignment moduleAssignment(const Program& source, const Program& result, const IdentityMap& map)
{
    TagAssignment modules;
    std::vector<std::int32_t> placeOf(result.modules.size(), TagAssignment::kUntagged);
    std::vector<char> ownsGraph(result.modules.size(), 0);
    for (const ModuleId owner : result.owners)
        if (owner)
            ownsGraph[owner.index()] = 1;
    for (const ModuleId id : result.modules.depthFirst())
        if (ownsGraph[id.index()] != 0) {
            placeOf[id.index()] = static_cast<std::int32_t>(modules.order.size());
            modules.order.push_back(result.modules[id].path);
        }
    modules.tagOf.assign(source.rootGraph().idBound(), TagAssignment::kUntagged);
    for (const IdentityMap::Pair& pair : map.pairs()) {
        const ModuleId owner = result.owners[pair.result.graph.index()];
        std::int32_t& place = modules.tagOf[pair.source.node.index()];
        if (pair.source.graph == source.root && !pair.created && owner && place < 0)
            place = placeOf[owner.index()];
    }
    return modules;
}

struct OwnedNodes {
    std::vector<InternedString> paths; ///< of modules with a graph, in tree order
    std::unordered_map<InternedString, std::size_t> nodesAt;
};

OwnedNodes ownedNodes(const Program& program, const std::vector<InternedString>& paths)
{
    OwnedNodes owned{paths, {}};
    for (std::size_t graph = 0; graph < program.graphs.size(); ++graph)
        if (const ModuleId owner = program.owners[graph])
            owned.nodesAt[program.modules[owner].path] += program.graphs[graph].size();
    return owned;
}

std::optional<std::size_t> nodesOf(const OwnedNodes& owned, InternedString path)
{
    const auto at = owned.nodesAt.find(path);
    return at == owned.nodesAt.end() ? std::nullopt : std::optional(at->second);
}

} // namespace

ModuleComparison compareModules(const Program& source, const MadeProgram& before, const MadeProgram& after)
{
    TagAssignment homesBefore = moduleAssignment(source, before.program, before.map);
    TagAssignment homesAfter = moduleAssignment(source, after.program, after.map);
    const OwnedNodes ownedBefore = ownedNodes(before.program, homesBefore.order);
    const OwnedNodes ownedAfter = ownedNodes(after.program, homesAfter.order);
    ModuleComparison out{compareAssignments(cutGraph(source), homesBefore, homesAfter)};
    const auto note = [&](InternedString path) {
        const ModuleChange change{path, nodesOf(ownedBefore, path), nodesOf(ownedAfter, path)};
        if (change.nodesBefore != change.nodesAfter)
            out.modules.push_back(change);
    };
    for (const InternedString path : ownedAfter.paths)
        note(path);
    for (const InternedString path : ownedBefore.paths)
        if (!nodesOf(ownedAfter, path))
            note(path);
    out.modulesBefore = ownedBefore.paths.size();
    out.modulesAfter = ownedAfter.paths.size();
    out.nodesBefore = before.program.nodeCount();
    out.nodesAfter = after.program.nodeCount();
    out.before = std::move(homesBefore);
    out.after = std::move(homesAfter);
    return out;
}

} // namespace sunder
