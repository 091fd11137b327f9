#include "passes/regions/recorded_order.h"

#include "ir/value_kind.h"
#include "support/flat_map.h"

#include <algorithm>
#include <array>
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

} // namespace sunder
