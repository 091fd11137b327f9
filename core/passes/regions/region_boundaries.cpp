#include "passes/regions/region_boundaries.h"

#include "passes/regions/compare_regions.h"
#include "passes/regions/occurrences.h"
#include "passes/regions/root_ancestors.h"
#include "support/format.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

// Growth does not record why it stops: on a large model that would be a sentence for every edge, while users ask about one group.
// The reasons are therefore reconstructed at the boundaries of the finished regions, in the order of growth's own tests: is the
// node beyond an input, shared by all, different from the others, claimed, or needed outside? If the answer depended on the state
// of growth at the time, only that fact can be reported (`metEarlier`).

namespace sunder {
namespace {

constexpr std::uint32_t kNoOwner = 0xffffffffU;
constexpr std::size_t kMaxMissing = 20;

class Explainer {
public:
    Explainer(const Program& program, const RankedGraph& graph, RegionClasses classes, const RegionResult& regions,
              std::size_t group)
        : m_program(program), m_graph(graph), m_classes(std::move(classes)), m_regions(regions), m_group(regions.groups[group]),
          m_names(occurrenceNames(program, m_group)), m_regionOf(graph.size(), kNoOwner)
    {
        for (std::size_t g = 0; g < regions.groups.size(); ++g)
            for (std::size_t i = 0; i < regions.groups[g].regionCount(); ++i) {
                for (const NodeId id : regions.groups[g].region(i))
                    m_regionOf[graph.rank(id)] = static_cast<std::uint32_t>(m_places.size());
                m_places.emplace_back(g, i);
            }
        for (std::size_t i = 0; i < m_group.regionCount(); ++i)
            m_own.push_back(m_regionOf[graph.rank(m_group.region(i).front())]);
    }

    std::vector<RegionBoundary> run()
    {
        for (std::size_t place = m_group.length; place-- > 0;)
            explainInputs(place);
        for (std::size_t place = m_group.length; place-- > 0;)
            explainUsers(place);
        explainMissing();
        return std::move(m_found);
    }

private:
    using Nodes = std::vector<std::uint32_t>; ///< ranks, one per occurrence

    [[nodiscard]] std::uint32_t member(std::size_t occurrence, std::size_t place) const
    {
        return m_graph.rank(m_group.region(occurrence)[place]);
    }
    [[nodiscard]] std::uint32_t root(std::size_t occurrence) const { return member(occurrence, m_group.length - 1); }
    [[nodiscard]] bool isInside(std::size_t occurrence, std::uint32_t rank) const
    {
        return m_regionOf[rank] == m_own[occurrence];
    }
    [[nodiscard]] bool isModelInput(std::uint32_t rank) const
    {
        const Op op = m_graph.node(rank).op;
        return op == Op::placeholder || op == Op::getAttr;
    }

    void add(RegionBoundary::Kind kind, std::size_t place, std::uint32_t outside, std::size_t occurrence, std::string why,
             std::optional<std::size_t> otherGroup = {})
    {
        m_found.push_back({kind, m_group.region(0)[place], m_graph.id(outside), occurrence, std::move(why), otherGroup});
    }

    void explainInputs(std::size_t place)
    {
        const auto inputs = m_graph.inputs(member(0, place));
        for (std::size_t at = 0; at < inputs.size(); ++at) {
            if (isInside(0, inputs[at]) || !m_asked.insert(inputs[at]).second)
                continue;
            Nodes beyond;
            for (std::size_t i = 0; i < m_group.regionCount(); ++i)
                if (const auto theirs = m_graph.inputs(member(i, place)); at < theirs.size())
                    beyond.push_back(theirs[at]);
            if (beyond.size() == m_group.regionCount())
                explainInput(place, beyond);
        }
    }

    void explainInput(std::size_t place, const Nodes& beyond)
    {
        using Kind = RegionBoundary::Kind;
        if (std::ranges::all_of(beyond, [&](std::uint32_t rank) { return isModelInput(rank); })) {
            add(Kind::modelInput, place, beyond[0], 0, m_graph.nameOf(beyond[0]) + " is an input of the model");
            return;
        }
        if (explainTwins(place, beyond) || explainDifference(place, beyond, ", the input "))
            return;
        for (std::size_t i = 0; i < beyond.size(); ++i)
            if (const std::uint32_t region = m_regionOf[beyond[i]]; region != kNoOwner) {
                add(Kind::taken, place, beyond[i], i, m_graph.nameOf(beyond[i]) + " is already part of " + nameOf(region),
                    groupOf(region));
                return;
            }
        for (std::size_t i = 0; i < beyond.size(); ++i)
            if (const std::uint32_t user = needingUser(i, beyond[i]); user != kNoOwner) {
                add(Kind::usedOutside, place, beyond[i], i,
                    m_graph.nameOf(beyond[i]) + " is also used by " + m_graph.nameOf(user)
                        + ", which is not part of the region but must run between its ops");
                return;
            }
        add(Kind::metEarlier, place, beyond[0], 0,
            m_graph.nameOf(beyond[0]) + " would fit now, but did not fit when it was tried, because the region was smaller then");
    }

    bool explainTwins(std::size_t place, const Nodes& beyond)
    {
        std::unordered_map<std::uint32_t, std::size_t> first;
        for (std::size_t i = 0; i < beyond.size(); ++i) {
            const auto [at, isNew] = first.emplace(beyond[i], i);
            if (isNew)
                continue;
            const bool isAll = std::ranges::all_of(beyond, [&](std::uint32_t rank) { return rank == beyond[0]; });
            add(RegionBoundary::Kind::shared, place, beyond[i], i,
                m_graph.nameOf(beyond[i]) + " is a shared input: "
                    + (isAll ? "all occurrences use" : m_names[at->second] + " and " + m_names[i] + " use")
                    + " the same value, so it is not part of any occurrence");
            return true;
        }
        return false;
    }

    /// Reports the first node that differs from the majority at its place. `before`: text before the node's name.
    bool explainDifference(std::size_t place, const Nodes& nodes, const std::string& before)
    {
        std::unordered_map<std::uint32_t, std::size_t> counts;
        for (const std::uint32_t rank : nodes)
            if (m_classes[rank] != kNoRegionClass)
                ++counts[m_classes[rank]];
        if (counts.size() == 1 && counts.begin()->second == nodes.size())
            return false;
        std::uint32_t usual = nodes[0];
        for (const std::uint32_t rank : nodes)
            if (m_classes[rank] != kNoRegionClass
                && (m_classes[usual] == kNoRegionClass || counts[m_classes[rank]] > counts[m_classes[usual]]))
                usual = rank;
        const auto isOdd = [&](std::uint32_t rank) {
            return m_classes[rank] == kNoRegionClass || m_classes[rank] != m_classes[usual];
        };
        const auto odd = static_cast<std::size_t>(std::ranges::find_if(nodes, isOdd) - nodes.begin());
        if (odd == nodes.size())
            return false;
        const auto others = static_cast<std::size_t>(std::ranges::count_if(nodes, isOdd)) - 1;
        const std::string where = others == 0 ? "elsewhere" : "in " + m_names[usualAt(nodes, usual)];
        add(RegionBoundary::Kind::nearMiss, place, nodes[odd], odd,
            "in " + m_names[odd] + before + m_graph.nameOf(nodes[odd]) + " " + asIn(where, difference(nodes[odd], usual))
                + (others == 0
                       ? ""
                       : " (" + formatCount(others, "other occurrence") + " differ" + (others == 1 ? "s" : "") + " too)"));
        return true;
    }

    [[nodiscard]] std::string difference(std::uint32_t odd, std::uint32_t usual) const
    {
        if (isModelInput(odd))
            return "is an input of the model; elsewhere it is an op like " + m_graph.nameOf(usual);
        if (std::string what = nodeDifference(m_graph.graph(), m_graph.id(odd), m_graph.id(usual)); !what.empty())
            return what;
        return m_classes[odd] == kNoRegionClass ? "has no region key in the file"
                                                : "has a different region key in the file than " + m_graph.nameOf(usual);
    }

    /// Returns nothing for the group being explained.
    [[nodiscard]] std::optional<std::size_t> groupOf(std::uint32_t region) const
    {
        const std::size_t group = m_places[region].first;
        return &m_regions.groups[group] == &m_group ? std::nullopt : std::optional(group);
    }

    [[nodiscard]] std::string nameOf(std::uint32_t region) const
    {
        const auto [group, at] = m_places[region];
        if (&m_regions.groups[group] == &m_group)
            return "the occurrence in " + m_names[at];
        return "another region that ends in " + m_graph.graph()[m_regions.groups[group].region(at).back()].name.str();
    }

    /// Returns a user outside the region that the region's root depends on; kNoOwner if there is none.
    std::uint32_t needingUser(std::size_t occurrence, std::uint32_t rank)
    {
        const std::uint32_t end = root(occurrence);
        for (const std::uint32_t user : m_graph.users(rank)) {
            if (user >= end)
                break;
            if (isInside(occurrence, user))
                continue;
            const auto [at, isNew] = m_ancestors.try_emplace(occurrence, m_graph, end);
            if (at->second.contains(user))
                return user;
        }
        return kNoOwner;
    }

    [[nodiscard]] Nodes usersOutside(std::size_t occurrence, std::uint32_t rank) const
    {
        Nodes outside;
        for (const std::uint32_t user : m_graph.users(rank))
            if (!isInside(occurrence, user))
                outside.push_back(user);
        return outside;
    }

    void explainUsers(std::size_t place)
    {
        std::vector<Nodes> users;
        for (std::size_t i = 0; i < m_group.regionCount(); ++i)
            users.push_back(usersOutside(i, member(i, place)));
        for (std::size_t i = 1; i < users.size(); ++i)
            if (users[i].size() != users[0].size()) {
                const Nodes& more = users[users[i].size() > users[0].size() ? i : 0];
                add(RegionBoundary::Kind::nearMiss, place, more.back(), i,
                    "in " + m_names[i] + ", " + m_graph.nameOf(member(i, place)) + " has " + formatCount(users[i].size(), "user")
                        + " outside the region, but in " + m_names[0] + ", " + m_graph.nameOf(member(0, place)) + " has "
                        + formatCount(users[0].size()));
                return;
            }
        for (std::size_t at = 0; at < users[0].size(); ++at) {
            Nodes beyond;
            for (const Nodes& of : users)
                beyond.push_back(of[at]);
            if (!explainDifference(place, beyond, ", the user ") && place + 1 == m_group.length)
                explainDirection(place, beyond[0]);
        }
    }

    /// Regions grow backward, and groups whose first root is last in the graph grow first.
    void explainDirection(std::size_t place, std::uint32_t user)
    {
        const std::uint32_t region = m_regionOf[user];
        if (region != kNoOwner) {
            add(RegionBoundary::Kind::taken, place, user, 0, m_graph.nameOf(user) + " is already part of " + nameOf(region),
                groupOf(region));
            return;
        }
        const auto firstOf = [this](std::uint32_t cls) {
            return static_cast<std::uint32_t>(std::ranges::find(m_classes, cls) - m_classes.begin());
        };
        if (m_classes[user] == kNoRegionClass)
            return;
        const std::uint32_t first = firstOf(m_classes[user]);
        if (first < firstOf(m_classes[root(0)]))
            add(RegionBoundary::Kind::grownFirst, place, user, 0,
                m_graph.nameOf(user)
                    + " uses the result but is not part of the region: regions grow from their last op toward its inputs, and "
                      "this one was complete before those that end in an op like "
                    + m_graph.nameOf(first) + " were grown");
    }

    /// Returns e.g. "layers.*.mlp" and the target: the common place of nodes in corresponding modules.
    [[nodiscard]] std::string placeOf(std::uint32_t rank) const
    {
        const std::string modules = likeModules(innermostModule(m_program, m_graph.node(rank)));
        return modules.empty() ? modules : modules + " " + m_graph.node(rank).target.str();
    }

    void explainMissing()
    {
        std::unordered_set<std::uint32_t> modules; // by stack id
        const std::string wanted = placeOf(root(0));
        if (wanted.empty())
            return;
        for (std::size_t i = 0; i < m_group.regionCount(); ++i) {
            if (placeOf(root(i)) != wanted)
                return; // the places of the occurrences differ
            modules.insert(static_cast<std::uint32_t>(m_graph.node(root(i)).meta.modules.index()));
        }
        // difference → (entry, number of further nodes)
        std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> known;
        const Node& measure = m_graph.node(root(0));
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            const Node& node = m_graph.node(rank);
            if (node.target != measure.target || node.op != measure.op || m_classes[rank] == m_classes[root(0)] || isOwn(rank)
                || modules.contains(static_cast<std::uint32_t>(node.meta.modules.index())) || placeOf(rank) != wanted)
                continue;
            const std::string what = difference(rank, root(0));
            const auto [at, isNew] = known.try_emplace(what, m_found.size(), 0);
            if (!isNew)
                ++at->second.second;
            else if (known.size() <= kMaxMissing)
                add(RegionBoundary::Kind::missing, m_group.length - 1, rank, 0,
                    std::string(innermostModule(m_program, node)) + " has no occurrence: its " + m_graph.nameOf(rank) + " "
                        + what);
        }
        for (const auto& [what, entry] : known)
            if (entry.second > 0 && entry.first < m_found.size())
                m_found[entry.first].why += " (and " + formatCount(entry.second, "other") + ")";
    }

    [[nodiscard]] bool isOwn(std::uint32_t rank) const
    {
        return m_regionOf[rank] != kNoOwner && &m_regions.groups[m_places[m_regionOf[rank]].first] == &m_group;
    }

    /// Returns e.g. "calls sin, not cos as elsewhere" or "calls sin, not cos as in layers.1".
    static std::string asIn(const std::string& where, std::string difference)
    {
        return difference.find(", not ") == std::string::npos ? difference : difference + " as " + where;
    }

    static std::size_t usualAt(const Nodes& nodes, std::uint32_t usual)
    {
        return static_cast<std::size_t>(std::ranges::find(nodes, usual) - nodes.begin());
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    RegionClasses m_classes;
    const RegionResult& m_regions;
    const RegionGroup& m_group;
    std::vector<std::string> m_names;
    std::vector<std::uint32_t> m_regionOf; ///< per rank: number of the region, in any group, that contains it
    std::vector<std::pair<std::size_t, std::size_t>> m_places; ///< per region: its group and its index there
    std::vector<std::uint32_t> m_own; ///< numbers of the regions of this group
    std::unordered_set<std::uint32_t> m_asked;
    std::unordered_map<std::size_t, RootAncestors> m_ancestors; ///< per occurrence; created on demand
    std::vector<RegionBoundary> m_found;
};

} // namespace

Result<std::vector<RegionBoundary>> regionBoundaries(const Program& program, const RegionOptions& options,
                                                     const RegionResult& regions, std::size_t group)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const RankedGraph ranked, RankedGraph::of(graph));
    const RegionKey key = options.key.value_or(regionKeyFor(graph));
    RegionClasses classes = key == RegionKey::tracked ? trackedClasses(ranked) : structuralClasses(ranked);
    return Explainer(program, ranked, std::move(classes), regions, group).run();
}

} // namespace sunder
