#include "passes/support/grow_groups.h"
#include "passes/support/tag_by_support.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_set>

// torch.fx.passes.infra.partitioner.CapabilityBasedPartitioner: groups of supported ops (growGroups()). Getitems of their results are
// added to them; small groups, and idle ops at the ends of groups, are removed. PyTorch fuses the groups afterwards; here they are put in
// an execution order, with all other ops on the CPU between them.

namespace sunder {
namespace {

constexpr std::uint32_t kNoUnit = SupportParts::kNone;

class CapabilityPartitioner final {
public:
    CapabilityPartitioner(const SupportGraph& graph, const SupportOptions& options) : m_graph(graph), m_options(options) {}

    /// Makes parts of groups. Returns nothing where PyTorch does not terminate, or makes a cycle.
    std::optional<SupportParts> attempt(std::vector<std::uint32_t> groupOf, bool isExact)
    {
        m_groupOf = std::move(groupOf);
        m_isEndless = false;
        if (!placeGetitems(isExact))
            return std::nullopt;
        collectGroups();
        if (!m_options.allowsSingleNodePartition)
            removeSmallGroups();
        if (m_options.removeBookendNonComputeOps)
            removeBookends();
        return ordered();
    }

    /// Explains why attempt() made no parts.
    [[nodiscard]] tl::unexpected<Error> refusal() const
    {
        const std::string name = m_graph.graph[m_graph.nodes[m_isEndless ? m_problem : firstOnCycle()]].name.str();
        return fail(ErrorCode::refused,
                    m_isEndless ? "PyTorch moves '" + name + "' between partitions forever: its inputs are in several partitions"
                                : "PyTorch's partitions form a cycle: the partition of '" + name + "' depends on itself",
                    {.node = name});
    }

private:
    // Groups ----------------------------------------------------------------------------------

    bool placeGetitems(bool isExact)
    {
        const auto isGetitem = [this](std::uint32_t at) { return m_graph.isGetitem[at] != 0; };
        for (std::uint32_t at = 0; at < m_graph.size(); ++at) {
            const auto inputs = m_graph.inputs[at];
            if (!isGetitem(at) || (isExact && inputs.size() > 1))
                continue;
            std::optional<std::uint32_t> target;
            for (const std::uint32_t input : inputs) {
                if (!std::ranges::all_of(m_graph.users[input], isGetitem))
                    continue;
                if (target && *target != m_groupOf[input]) {
                    m_problem = at;
                    m_isEndless = true;
                    return false;
                }
                target = m_groupOf[input];
            }
            if (target)
                m_groupOf[at] = *target;
        }
        return true;
    }

    /// Numbers the groups by their first node.
    void collectGroups()
    {
        m_groups.clear();
        std::vector<std::uint32_t> number(m_graph.size(), kNoUnit);
        for (std::uint32_t at = 0; at < m_graph.size(); ++at) {
            std::uint32_t& group = m_groupOf[at];
            if (group == kNoUnit)
                continue;
            if (number[group] == kNoUnit) {
                number[group] = static_cast<std::uint32_t>(m_groups.size());
                m_groups.emplace_back();
            }
            group = number[group];
            m_groups[group].push_back(at);
        }
    }

    void remove(std::vector<std::uint32_t>& group, const std::function<bool(std::uint32_t at)>& isRemoved)
    {
        for (const std::uint32_t at : group)
            if (isRemoved(at))
                m_groupOf[at] = kNoUnit;
        std::erase_if(group, [this](std::uint32_t at) { return m_groupOf[at] == kNoUnit; });
    }

    [[nodiscard]] bool isFunctionIn(std::uint32_t at, const std::unordered_set<InternedString>& targets) const
    {
        const Node& node = m_graph.graph[m_graph.nodes[at]];
        return node.op == Op::callFunction && targets.contains(node.target);
    }

    void removeSmallGroups()
    {
        std::unordered_set<InternedString> idle(m_options.nonComputeOps.begin(), m_options.nonComputeOps.end());
        idle.insert(intern("torch.ops.aten.view"));
        idle.insert(intern("_operator.getitem"));
        const std::unordered_set<InternedString> alone(m_options.allowedSingleNodePartitionOps.begin(),
                                                       m_options.allowedSingleNodePartitionOps.end());
        for (std::vector<std::uint32_t>& group : m_groups) {
            std::size_t count = 0;
            for (const std::uint32_t at : group)
                if (m_graph.graph[m_graph.nodes[at]].op == Op::callFunction)
                    count += (isFunctionIn(at, idle) ? 0U : 1U) + (isFunctionIn(at, alone) ? 1U : 0U);
            if (count < 2)
                remove(group, [](std::uint32_t) { return true; });
        }
    }

    void removeBookends()
    {
        const std::unordered_set<InternedString> idle(m_options.nonComputeOps.begin(), m_options.nonComputeOps.end());
        std::vector<char> isLeading(m_graph.size(), 0);
        std::vector<char> isTrailing(m_graph.size(), 0);
        for (std::uint32_t number = 0; number < m_groups.size(); ++number) {
            std::vector<std::uint32_t>& group = m_groups[number];
            const auto isEnd = [&](std::uint32_t at, const std::vector<char>& isFound) {
                return m_groupOf[at] != number || isFound[at] != 0;
            };
            for (const std::uint32_t at : group)
                isLeading[at] = isFunctionIn(at, idle)
                    && std::ranges::all_of(m_graph.inputs[at], [&](std::uint32_t input) { return isEnd(input, isLeading); });
            for (auto at = group.rbegin(); at != group.rend(); ++at)
                isTrailing[*at] = isFunctionIn(*at, idle)
                    && std::ranges::all_of(m_graph.users[*at], [&](std::uint32_t user) { return isEnd(user, isTrailing); });
            remove(group, [&](std::uint32_t at) { return isLeading[at] != 0 || isTrailing[at] != 0; });
        }
    }

    // Order -----------------------------------------------------------------------------------

    /// Numbers units: the groups, then the positions of all other ops.
    [[nodiscard]] std::uint32_t unitOf(std::uint32_t at) const
    {
        return m_groupOf[at] != kNoUnit ? m_groupOf[at] : static_cast<std::uint32_t>(m_groups.size()) + at;
    }

    std::optional<SupportParts> ordered()
    {
        const auto groups = static_cast<std::uint32_t>(m_groups.size());
        using Smallest = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;
        const auto firstOf = [this](std::uint32_t group) { return m_groups[group].front(); };
        std::vector<std::uint32_t> missing(groups + std::size_t{m_graph.size()}, 0); // inputs that are not placed
        std::vector<std::uint32_t> groupAt(m_graph.size(), kNoUnit);
        Smallest ready; // groups, by first node
        std::vector<std::uint32_t> readyOps;
        std::size_t left = 0;
        for (std::uint32_t at = 0; at < m_graph.size(); ++at)
            if (m_graph.isCall[at] != 0) {
                ++left;
                for (const std::uint32_t input : m_graph.inputs[at])
                    missing[unitOf(at)] += m_graph.isCall[input] != 0 && unitOf(input) != unitOf(at) ? 1U : 0U;
            }
        for (std::uint32_t group = 0; group < groups; ++group)
            if (!m_groups[group].empty()) {
                groupAt[firstOf(group)] = group;
                if (missing[group] == 0)
                    ready.push(firstOf(group));
            }
        for (std::uint32_t at = 0; at < m_graph.size(); ++at)
            if (m_graph.isCall[at] != 0 && m_groupOf[at] == kNoUnit && missing[unitOf(at)] == 0)
                readyOps.push_back(at);
        SupportParts parts{.isAccelerator = {}, .partOf = std::vector<std::uint32_t>(m_graph.size(), kNoUnit)};
        const auto place = [&](std::uint32_t at) {
            parts.partOf[at] = static_cast<std::uint32_t>(parts.isAccelerator.size()) - 1;
            --left;
            for (const std::uint32_t user : m_graph.users[at]) {
                const std::uint32_t unit = unitOf(user);
                if (m_graph.isCall[user] == 0 || unit == unitOf(at) || --missing[unit] != 0)
                    continue;
                if (unit < groups)
                    ready.push(firstOf(unit));
                else
                    readyOps.push_back(user);
            }
        };
        while (left > 0) {
            if (!ready.empty()) {
                const std::uint32_t group = groupAt[ready.top()];
                ready.pop();
                parts.isAccelerator.push_back(1);
                std::ranges::for_each(m_groups[group], place);
            } else if (!readyOps.empty()) {
                parts.isAccelerator.push_back(0);
                while (!readyOps.empty()) {
                    const std::uint32_t at = readyOps.back();
                    readyOps.pop_back();
                    place(at);
                }
            } else {
                return std::nullopt;
            }
        }
        return parts;
    }

    // Refusals --------------------------------------------------------------------------------

    /// Returns the first node of the first group that depends on itself.
    [[nodiscard]] std::uint32_t firstOnCycle() const
    {
        const StrongComponents found = componentsOf(m_graph, m_groupOf, m_groups.size());
        std::uint32_t first = m_graph.size() - 1;
        for (std::size_t group = 0; group < m_groups.size(); ++group)
            if (found.size[found.of[group]] > 1 && !m_groups[group].empty())
                first = std::min(first, m_groups[group].front());
        return first;
    }

    const SupportGraph& m_graph;
    const SupportOptions& m_options;
    std::vector<std::uint32_t> m_groupOf; ///< per position
    std::vector<std::vector<std::uint32_t>> m_groups; ///< positions, ascending
    std::uint32_t m_problem = 0;
    bool m_isEndless = false;
};

} // namespace

Result<std::vector<SupportParts>> capabilityParts(const SupportGraph& graph, std::span<const std::vector<char>> variants,
                                                  const SupportOptions& options, ProgressMonitor& monitor)
{
    const auto grow = [&](std::span<const std::vector<char>> some, bool isExact) {
        return growGroups(graph, some, {.isHorizontal = !options.skipHorizontalFusion, .isExact = isExact}, monitor);
    };
    SUNDER_TRY(std::vector<std::vector<std::uint32_t>> groups, grow(variants, false));
    std::vector<SupportParts> all;
    CapabilityPartitioner partitioner(graph, options);
    for (std::size_t variant = 0; variant < variants.size(); ++variant) {
        SUNDER_PROPAGATE(monitor.check());
        std::optional<SupportParts> parts = partitioner.attempt(std::move(groups[variant]), false);
        if (!parts && !options.asUpstream) {
            SUNDER_TRY(std::vector<std::vector<std::uint32_t>> exact, grow(variants.subspan(variant, 1), true));
            parts = partitioner.attempt(std::move(exact.front()), true);
        }
        if (!parts)
            return partitioner.refusal();
        all.push_back(*std::move(parts));
    }
    return all;
}

} // namespace sunder
