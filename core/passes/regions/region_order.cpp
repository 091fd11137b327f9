#include "passes/regions/region_order.h"

#include "ir/value_kind.h"
#include "support/flat_map.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

// Locations are the global state, all storages that are written to, and written values without a known storage. Nothing else
// counts as a location, so that a graph without writes costs one check per node.

namespace sunder {
namespace {

constexpr std::array<std::string_view, 11> kStateSetters{
    "torch.amp.autocast_mode._enter_autocast",
    "torch.amp.autocast_mode._exit_autocast",
    "torch._C._set_grad_enabled",
    "torch.autograd.grad_mode._enter_inference_mode",
    "torch.autograd.grad_mode._exit_inference_mode",
    "torch._C._autograd._saved_tensors_hooks_disable",
    "torch._C._autograd._saved_tensors_hooks_enable",
    "torch._C._set_default_dtype",
    "torch._C._set_deterministic_algorithms",
    "torch.use_deterministic_algorithms",
    "torch.set_default_dtype",
};

bool setsState(const Node& node)
{
    return node.op == Op::callFunction && std::ranges::find(kStateSetters, node.target.view()) != kStateSetters.end();
}

class Recorder {
public:
    explicit Recorder(const RankedGraph& graph) : m_graph(graph), m_ofValue(graph.size(), kNone) {}

    MemoryDependencies run()
    {
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
            findWrites(rank);
        AccessLists accesses(m_locations);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            listAccesses(rank, accesses);
            accesses.endNode();
        }
        return MemoryDependencies(std::move(accesses));
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    static constexpr std::uint32_t kState = 0;

    /// Calls `visit(rank)` for each value that the node writes to. Positions count the nodes in its arguments, including repeats;
    /// positions out of range are ignored.
    template <typename Visit>
    void forEachWritten(std::uint32_t rank, const Visit& visit) const
    {
        const Node& node = m_graph.node(rank);
        if (!node.meta.mutated)
            return;
        std::vector<std::uint32_t> reads;
        forEachNode(node.args, node.kwargs, [&](NodeId id) { reads.push_back(m_graph.rank(id)); });
        for (const std::int32_t position : *node.meta.mutated)
            if (position >= 0 && static_cast<std::size_t>(position) < reads.size())
                visit(reads[static_cast<std::size_t>(position)]);
    }

    void findWrites(std::uint32_t rank)
    {
        m_anySetter = m_anySetter || setsState(m_graph.node(rank));
        forEachWritten(rank, [&](std::uint32_t value) {
            bool hasStorage = false;
            if (const auto& val = m_graph.node(value).meta.val)
                forEachStorage(*val, [&](InternedString storage) {
                    hasStorage = true;
                    if (!m_ofStorage.contains(storage))
                        m_ofStorage.emplace(storage, m_locations++);
                });
            if (!hasStorage && m_ofValue[value] == kNone)
                m_ofValue[value] = m_locations++;
        });
    }

    /// Calls `visit(location)` for the written locations of a value.
    template <typename Visit>
    void forEachLocation(std::uint32_t value, const Visit& visit) const
    {
        if (m_ofValue[value] != kNone)
            visit(m_ofValue[value]);
        else if (const auto& val = m_graph.node(value).meta.val; val && m_ofStorage.size() > 0)
            forEachStorage(*val, [&](InternedString storage) {
                if (const std::uint32_t* location = m_ofStorage.find(storage))
                    visit(*location);
            });
    }

    void listAccesses(std::uint32_t rank, AccessLists& accesses) const
    {
        const auto read = [&](std::uint32_t location) { accesses.add({.location = location}); };
        const Node& node = m_graph.node(rank);
        if (m_anySetter && node.isCall())
            accesses.add({.location = kState, .writes = setsState(node)});
        // A node accesses its own value, whose storage is in use, except for a written value without a storage.
        if (m_ofValue[rank] == kNone)
            forEachLocation(rank, read);
        for (const std::uint32_t input : m_graph.inputs(rank))
            forEachLocation(input, read);
        forEachWritten(rank, [&](std::uint32_t value) {
            forEachLocation(value, [&](std::uint32_t location) { accesses.add({.location = location, .writes = true}); });
        });
    }

    const RankedGraph& m_graph;
    FlatMap<std::uint32_t> m_ofStorage;
    std::vector<std::uint32_t> m_ofValue; ///< per rank; only for written values without a storage
    std::uint32_t m_locations = kState + 1;
    bool m_anySetter = false;
};

} // namespace

MemoryDependencies recordedOrder(const RankedGraph& graph)
{
    return Recorder(graph).run();
}

ContractedOrder::ContractedOrder(const RankedGraph& graph, const MemoryDependencies& dependencies)
    : m_graph(graph), m_dependencies(dependencies), m_unit(graph.size()), m_place(graph.size()), m_begin(1, 0),
      m_visited(graph.size(), 0), m_isInside(graph.size(), 0)
{
    std::iota(m_unit.begin(), m_unit.end(), 0U);
    std::iota(m_place.begin(), m_place.end(), 0U);
}

std::span<const std::uint32_t> ContractedOrder::membersOf(const Unit& unit) const
{
    if (unit < m_graph.size())
        return {&unit, 1};
    const std::uint32_t step = unit - m_graph.size();
    return std::span(m_members).subspan(m_begin[step], m_begin[step + 1] - m_begin[step]);
}

/// Calls `visit(member, neighbor)` until it returns false. Returns true if it never did.
template <bool Forward, typename Visit>
bool ContractedOrder::forEachNeighbor(std::span<const std::uint32_t> members, const Visit& visit) const
{
    for (const std::uint32_t member : members) {
        for (const std::uint32_t other : Forward ? m_graph.users(member) : m_graph.inputs(member))
            if (!visit(member, other))
                return false;
        for (const std::uint32_t other : Forward ? m_dependencies.later(member) : m_dependencies.earlier(member))
            if (!visit(member, other))
                return false;
    }
    return true;
}

std::optional<ContractedOrder::Loop> ContractedOrder::findAfter(std::span<const std::uint32_t> region, std::uint32_t last)
{
    m_after.clear();
    std::optional<Loop> loop;
    const auto visit = [&](bool fromInside) {
        return [&, fromInside](std::uint32_t member, std::uint32_t user) {
            if (m_isInside[user] == m_search) {
                if (!fromInside)
                    loop = Loop{.outside = member, .inside = user};
                return fromInside;
            }
            const Unit unit = unitOf(user);
            if (m_place[unit] < last && m_visited[unit] != m_search) {
                m_visited[unit] = m_search;
                m_after.push_back(unit);
            }
            return true;
        };
    };
    forEachNeighbor<true>(region, visit(true));
    for (std::size_t i = 0; i < m_after.size() && !loop; ++i) {
        const Unit unit = m_after[i];
        forEachNeighbor<true>(membersOf(unit), visit(false));
    }
    return loop;
}

void ContractedOrder::findBefore(std::span<const std::uint32_t> region, std::uint32_t first)
{
    m_before.clear();
    const auto visit = [&](std::uint32_t /*member*/, std::uint32_t input) {
        const Unit unit = unitOf(input);
        if (m_isInside[input] != m_search && m_place[unit] > first && m_visited[unit] != m_search) {
            m_visited[unit] = m_search;
            m_before.push_back(unit);
        }
        return true;
    };
    forEachNeighbor<false>(region, visit);
    for (std::size_t i = 0; i < m_before.size(); ++i) {
        const Unit unit = m_before[i];
        forEachNeighbor<false>(membersOf(unit), visit);
    }
}

/// Redistributes the positions of the region, its ancestors and its descendants: first ancestors, then the region, then
/// descendants, each in their old order. The nodes of the region keep separate positions, since undo() may separate them again.
void ContractedOrder::place(std::span<const std::uint32_t> region)
{
    const auto byPlace = [this](Unit a, Unit b) { return m_place[a] < m_place[b]; };
    std::vector<Unit> units(m_before);
    std::ranges::sort(units, byPlace);
    const auto inside = static_cast<std::ptrdiff_t>(units.size());
    units.insert(units.end(), region.begin(), region.end());
    std::sort(units.begin() + inside, units.end(), byPlace);
    const auto after = static_cast<std::ptrdiff_t>(units.size());
    units.insert(units.end(), m_after.begin(), m_after.end());
    std::sort(units.begin() + after, units.end(), byPlace);
    std::vector<std::uint32_t> places;
    for (const Unit unit : units)
        places.push_back(m_place[unit]);
    std::ranges::sort(places);
    for (std::size_t i = 0; i < units.size(); ++i)
        m_place[units[i]] = places[i];
}

std::optional<ContractedOrder::Loop> ContractedOrder::contract(std::span<const std::uint32_t> region)
{
    ++m_search;
    std::uint32_t first = 0xffffffffU;
    std::uint32_t last = 0;
    for (const std::uint32_t rank : region) {
        m_isInside[rank] = m_search;
        first = std::min(first, m_place[rank]);
        last = std::max(last, m_place[rank]);
    }
    if (const std::optional<Loop> loop = findAfter(region, last))
        return loop;
    if (!m_after.empty()) {
        findBefore(region, first);
        place(region);
    }
    const auto step = static_cast<Unit>(m_graph.size() + m_begin.size() - 1);
    std::uint32_t at = 0;
    for (const std::uint32_t rank : region) {
        m_unit[rank] = step;
        at = std::max(at, m_place[rank]);
    }
    m_place.push_back(at);
    m_visited.push_back(0);
    m_members.insert(m_members.end(), region.begin(), region.end());
    m_begin.push_back(static_cast<std::uint32_t>(m_members.size()));
    return std::nullopt;
}

void ContractedOrder::undo()
{
    m_begin.pop_back();
    for (std::size_t i = m_begin.back(); i < m_members.size(); ++i)
        m_unit[m_members[i]] = m_members[i];
    m_members.resize(m_begin.back());
    m_place.pop_back();
    m_visited.pop_back();
}

} // namespace sunder
