#include "passes/regions/order_constraints.h"

#include "ir/value_kind.h"
#include "support/flat_map.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

// The recorded order of nodes without data flow between them. Resources are the global state, all storages that are written to,
// and written values without a known storage. Nothing else counts as a resource, so that a graph without writes costs one check
// per node.

namespace sunder {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffU;

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
    explicit Recorder(const RankedGraph& graph) : m_graph(graph), m_resourceOfValue(graph.size(), kNone), m_touchedBy(1, kNone) {}

    OrderConstraints run()
    {
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
            findWrites(rank);
        std::vector<std::pair<std::uint32_t, MemoryAccess>> touches;
        if (m_anySetter || m_touchedBy.size() > 1) {
            for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
                listResources(rank);
            std::ranges::fill(m_touchedBy, kNone);
            for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
                touch(rank, touches);
        }
        return {m_graph.size(), touches};
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

    [[nodiscard]] std::uint32_t newResource()
    {
        m_touchedBy.push_back(kNone);
        return static_cast<std::uint32_t>(m_touchedBy.size() - 1);
    }

    void findWrites(std::uint32_t rank)
    {
        m_anySetter = m_anySetter || setsState(m_graph.node(rank));
        forEachWritten(rank, [&](std::uint32_t value) {
            bool hasStorage = false;
            if (const auto& val = m_graph.node(value).meta.val)
                forEachStorage(*val, [&](InternedString storage) {
                    hasStorage = true;
                    if (!m_resourceOfStorage.contains(storage))
                        m_resourceOfStorage.emplace(storage, newResource());
                });
            if (!hasStorage && m_resourceOfValue[value] == kNone)
                m_resourceOfValue[value] = newResource();
        });
    }

    /// Lists the resources that a use of the value accesses, without duplicates.
    void listResources(std::uint32_t value)
    {
        const auto add = [&](std::uint32_t resource) {
            if (std::exchange(m_touchedBy[resource], value) != value)
                m_resources.add(resource);
        };
        if (m_resourceOfValue[value] != kNone)
            add(m_resourceOfValue[value]);
        else if (const auto& val = m_graph.node(value).meta.val; val && m_resourceOfStorage.size() > 0)
            forEachStorage(*val, [&](InternedString storage) {
                if (const std::uint32_t* resource = m_resourceOfStorage.find(storage))
                    add(*resource);
            });
        m_resources.endList();
    }

    void touch(std::uint32_t rank, std::vector<std::pair<std::uint32_t, MemoryAccess>>& touches)
    {
        const std::size_t first = touches.size();
        const auto add = [&](std::uint32_t resource) {
            if (std::exchange(m_touchedBy[resource], rank) != rank)
                touches.push_back({rank, {resource, false}});
        };
        const Node& node = m_graph.node(rank);
        if (m_anySetter && node.isCall())
            add(kState);
        // A node accesses its own value, whose storage is in use, except for a written value without a storage.
        if (m_resourceOfValue[rank] == kNone)
            std::ranges::for_each(m_resources[rank], add);
        for (const std::uint32_t input : m_graph.inputs(rank))
            std::ranges::for_each(m_resources[input], add);
        const auto markWritten = [&](std::uint32_t resource) {
            for (std::size_t i = first; i < touches.size(); ++i)
                touches[i].second.writes = touches[i].second.writes || touches[i].second.resource == resource;
        };
        if (setsState(node))
            markWritten(kState);
        forEachWritten(rank, [&](std::uint32_t value) { std::ranges::for_each(m_resources[value], markWritten); });
    }

    const RankedGraph& m_graph;
    FlatMap<std::uint32_t> m_resourceOfStorage;
    std::vector<std::uint32_t> m_resourceOfValue; ///< per rank; only for written values without a storage
    NumberLists m_resources; ///< per rank: resources that a use of its value accesses
    std::vector<std::uint32_t> m_touchedBy; ///< per resource: rank that accessed it last
    bool m_anySetter = false;
};

} // namespace

OrderConstraints::OrderConstraints(std::uint32_t ranks, std::span<const std::pair<std::uint32_t, MemoryAccess>> touches)
    : m_begin(ranks + std::size_t{1}, 0)
{
    m_touches.reserve(touches.size());
    std::vector<Resource> resources;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& [rank, touch] : touches) {
        ++m_begin[rank + 1];
        m_touches.push_back(touch);
        if (touch.resource >= resources.size())
            resources.resize(touch.resource + std::size_t{1}, {kNobody, {}});
        Resource& resource = resources[touch.resource];
        if (resource.lastWriter != kNobody && (!touch.writes || resource.readersSince.empty()))
            edges.emplace_back(resource.lastWriter, rank);
        if (touch.writes) {
            for (const std::uint32_t reader : resource.readersSince)
                edges.emplace_back(reader, rank);
            resource = {rank, {}};
        } else {
            resource.readersSince.push_back(rank);
        }
    }
    for (std::size_t i = 1; i < m_begin.size(); ++i)
        m_begin[i] += m_begin[i - 1];
    m_later = NumberLists(ranks, edges);
    for (auto& [from, to] : edges)
        std::swap(from, to);
    m_earlier = NumberLists(ranks, edges);
    m_seen.resize(resources.size());
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> OrderConstraints::findInversion(std::span<const std::uint32_t> sequence)
{
    ++m_sequence;
    for (const std::uint32_t rank : sequence)
        for (const MemoryAccess touch : touches(rank)) {
            Seen& seen = m_seen[touch.resource];
            if (seen.sequence != m_sequence)
                seen = {.sequence = m_sequence, .toucher = {}, .writer = {}};
            const std::optional<std::uint32_t>& against = touch.writes ? seen.toucher : seen.writer;
            if (against && *against > rank)
                return std::pair(rank, *against);
            seen.toucher = std::max(seen.toucher.value_or(rank), rank);
            if (touch.writes)
                seen.writer = std::max(seen.writer.value_or(rank), rank);
        }
    return std::nullopt;
}

OrderConstraints recordedOrder(const RankedGraph& graph)
{
    return Recorder(graph).run();
}

} // namespace sunder
