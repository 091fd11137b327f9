#include "passes/regions/find_regions.h"

#include "passes/regions/correct_regions.h"
#include "passes/regions/region_order.h"
#include "passes/regions/root_ancestors.h"

#include <algorithm>
#include <memory>
#include <numeric>

// PyTorch's region tracking (`docs/passes.md`) in two steps. Growth works exactly as in PyTorch and considers one node at a time.
// Unless PyTorch's own result is requested, checks then drop regions that cannot share a subgraph. Checks never find better
// regions.
//
// The growth phase of PyTorch's region tracker. Every class of two or more nodes starts a group. The regions of a group grow
// backward from their roots in lockstep, breadth first, by one node each per step. A step only takes effect if it fits all
// regions.
//
// PyTorch is quadratic; three changes make this version fast. The queue of a region is not built: it consists of the inputs of its
// members in order, read with a cursor. Membership is an array, since a node is claimed once. The ancestors of a region are those
// of its root, since all members are ancestors of the root; they are searched only as far back as the users outside the region
// (RootAncestors).

namespace sunder {
namespace {

constexpr std::uint32_t kNoClaim = 0xffffffffU;

/// Read position in a region's queue, the concatenated inputs of its members.
struct Cursor {
    std::uint32_t member = 0; ///< member whose inputs are being read
    std::uint32_t begin = 0; ///< queue position of that member's first input
};

class Grower {
public:
    Grower(const RankedGraph& graph, const RegionClasses& classes)
        : m_graph(graph), m_classes(classes), m_claimed(graph.size(), 0), m_regionOf(graph.size(), kNoClaim),
          m_inFirst(graph.size(), kNoClaim), m_chosenIn(graph.size(), 0), m_scannedFor(graph.size(), kNoClaim),
          m_scannedTo(graph.size(), 0)
    {
    }

    RegionGroup grow(std::vector<std::uint32_t> roots)
    {
        m_roots = std::move(roots);
        m_count = static_cast<std::uint32_t>(m_roots.size());
        m_joined = m_roots;
        m_cursors.assign(m_count, {});
        m_ancestors.clear();
        m_inFirst[m_roots[0]] = m_firstRegion;
        for (std::uint32_t step = 0; takeStep(step);) {
            ++step;
        }
        RegionGroup group = m_joined.size() > m_count ? ordered() : RegionGroup();
        m_firstRegion += m_count;
        return group;
    }

private:
    /// Takes one node from each queue. Returns false when growth is complete: an exhausted queue stays exhausted, since no later
    /// step can succeed.
    bool takeStep(std::uint32_t step)
    {
        m_candidates.clear();
        ++m_step;
        for (std::uint32_t region = 0; region < m_count; ++region) {
            const std::uint32_t candidate = queued(region, step);
            if (candidate == kNoClaim)
                return false;
            if (region > 0 && !fits(candidate))
                return true;
            m_chosenIn[candidate] = m_step;
            m_candidates.push_back(candidate);
        }
        for (std::uint32_t region = 0; region < m_count; ++region)
            if (wouldLoop(region, m_candidates[region]))
                return true;
        join();
        return true;
    }

    /// Returns the node at a position of a region's queue. Positions must be queried in ascending order.
    std::uint32_t queued(std::uint32_t region, std::uint32_t place)
    {
        Cursor& cursor = m_cursors[region];
        while (std::size_t{cursor.member} * m_count < m_joined.size()) {
            const auto inputs = m_graph.inputs(m_joined[std::size_t{cursor.member} * m_count + region]);
            if (place < cursor.begin + inputs.size())
                return inputs[place - cursor.begin];
            cursor.begin += static_cast<std::uint32_t>(inputs.size());
            ++cursor.member;
        }
        return kNoClaim;
    }

    /// Condition for the nodes of all regions except the first, whose node determines the class.
    [[nodiscard]] bool fits(std::uint32_t candidate) const
    {
        const Op op = m_graph.node(candidate).op;
        return m_claimed[candidate] == 0 && m_chosenIn[candidate] != m_step && op != Op::placeholder && op != Op::getAttr
            && m_classes[candidate] != kNoRegionClass && m_classes[candidate] == m_classes[m_candidates[0]];
    }

    [[nodiscard]] bool isMember(std::uint32_t region, std::uint32_t node) const
    {
        if (region == 0)
            return m_inFirst[node] == m_firstRegion;
        return m_regionOf[node] == m_firstRegion + region || node == m_roots[region];
    }

    /// Returns whether a path from this node to the root passes through a user outside the region. Regions only grow, so a user
    /// that is no obstacle never becomes one. The next query for the node resumes where this one stopped.
    bool wouldLoop(std::uint32_t region, std::uint32_t node)
    {
        const auto users = m_graph.users(node);
        std::uint32_t at = m_scannedFor[node] == m_firstRegion + region ? m_scannedTo[node] : 0;
        while (at < users.size() && users[at] < m_roots[region]
               && (isMember(region, users[at]) || !ancestors(region).contains(users[at])))
            ++at;
        m_scannedFor[node] = m_firstRegion + region;
        m_scannedTo[node] = at;
        return at < users.size() && users[at] < m_roots[region];
    }

    RootAncestors& ancestors(std::uint32_t region)
    {
        m_ancestors.resize(m_count);
        if (!m_ancestors[region])
            m_ancestors[region] = std::make_unique<RootAncestors>(m_graph, m_roots[region]);
        return *m_ancestors[region];
    }

    void join()
    {
        for (std::uint32_t region = 0; region < m_count; ++region) {
            const std::uint32_t node = m_candidates[region];
            m_claimed[node] = 1;
            if (region == 0)
                m_inFirst[node] = m_firstRegion;
            else
                m_regionOf[node] = m_firstRegion + region;
        }
        m_joined.insert(m_joined.end(), m_candidates.begin(), m_candidates.end());
    }

    /// Returns the regions with the last joined node first, then stably sorted by graph order of the first region's nodes.
    [[nodiscard]] RegionGroup ordered() const
    {
        RegionGroup group{.length = static_cast<std::uint32_t>(m_joined.size() / m_count), .nodes = {}};
        std::vector<std::uint32_t> order(group.length);
        std::iota(order.rbegin(), order.rend(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return m_joined[std::size_t{i} * m_count]; });
        group.nodes.reserve(m_joined.size());
        for (std::uint32_t region = 0; region < m_count; ++region)
            for (const std::uint32_t i : order)
                group.nodes.push_back(m_graph.id(m_joined[std::size_t{i} * m_count + region]));
        return group;
    }

    const RankedGraph& m_graph;
    const RegionClasses& m_classes;
    std::vector<char> m_claimed; ///< per rank: is in a region of any group
    std::vector<std::uint32_t> m_regionOf; ///< per rank: region (among all groups) that claimed it, except first regions
    std::vector<std::uint32_t> m_inFirst; ///< per rank: number of the first region that contains it
    std::vector<std::uint32_t> m_chosenIn; ///< per rank: last step in which it was taken
    std::vector<std::uint32_t> m_scannedFor; ///< per rank: region that last queried its users …
    std::vector<std::uint32_t> m_scannedTo; ///< … and the number of users scanned
    std::uint32_t m_step = 0;

    // State of the current group.
    std::uint32_t m_firstRegion = 0; ///< index of its first region among the regions of all groups
    std::uint32_t m_count = 0;
    std::vector<std::uint32_t> m_roots;
    std::vector<std::uint32_t> m_joined; ///< one node per region for each successful step; roots first
    std::vector<std::uint32_t> m_candidates;
    std::vector<Cursor> m_cursors;
    std::vector<std::unique_ptr<RootAncestors>> m_ancestors; ///< per region; created on demand
};

/// Returns the members of each class with at least two, sorted by earliest member, descending.
std::vector<std::vector<std::uint32_t>> rootsOfGroups(const RegionClasses& classes)
{
    std::vector<std::vector<std::uint32_t>> members;
    for (std::uint32_t rank = 0; rank < classes.size(); ++rank) {
        if (classes[rank] == kNoRegionClass)
            continue;
        if (classes[rank] >= members.size())
            members.resize(classes[rank] + std::size_t{1});
        members[classes[rank]].push_back(rank);
    }
    std::erase_if(members, [](const auto& group) { return group.size() < 2; });
    std::ranges::sort(members, std::greater(), [](const auto& group) { return group[0]; });
    return members;
}

} // namespace

Result<std::vector<RegionGroup>> growRegions(const RankedGraph& graph, const RegionClasses& classes, ProgressMonitor& monitor)
{
    std::vector<RegionGroup> groups;
    Grower grower(graph, classes);
    std::vector<std::vector<std::uint32_t>> roots = rootsOfGroups(classes);
    for (std::size_t i = 0; i < roots.size(); ++i) {
        SUNDER_PROPAGATE(monitor.check());
        if (i % 1024 == 0)
            monitor.report(static_cast<double>(i) / static_cast<double>(roots.size()), "growing regions");
        if (RegionGroup group = grower.grow(std::move(roots[i])); group.length > 1)
            groups.push_back(std::move(group));
    }
    return groups;
}

Result<RegionResult> findRegions(const Program& program, const RegionOptions& options, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const RankedGraph ranked, RankedGraph::of(graph));
    SUNDER_PROPAGATE(monitor.check());
    const RegionKey key = options.key.value_or(regionKeyFor(graph));
    SUNDER_TRY(const RegionClasses classes,
               key == RegionKey::tracked ? Result<RegionClasses>(trackedClasses(ranked)) : structuralClasses(ranked, monitor));
    SUNDER_TRY(std::vector<RegionGroup> groups, growRegions(ranked, classes, monitor));
    if (options.asUpstream)
        return RegionResult{.groups = std::move(groups), .rejected = {}};
    MemoryDependencies dependencies = recordedOrder(ranked);
    SUNDER_PROPAGATE(monitor.check());
    return correctRegions(ranked, dependencies, std::move(groups), monitor);
}

} // namespace sunder
