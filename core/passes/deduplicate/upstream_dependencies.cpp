#include "passes/deduplicate/upstream_dependencies.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMaxEntries = 200'000'000;

bool isAutocast(const Node& node)
{
    return node.op == Op::callFunction
        && (node.target.view() == "torch.amp.autocast_mode._enter_autocast"
            || node.target.view() == "torch.amp.autocast_mode._exit_autocast");
}

} // namespace

Result<UpstreamDependencies> UpstreamDependencies::of(const Graph& graph)
{
    std::size_t autocasts = 0;
    for (const NodeId id : graph.nodes())
        autocasts += isAutocast(graph.node(id)) ? 1 : 0;
    if (autocasts * graph.size() > kMaxEntries)
        return fail(ErrorCode::refused,
                    "PyTorch's method needs too much memory for " + std::to_string(autocasts) + " autocast nodes among "
                        + std::to_string(graph.size()) + "; leave out --as-upstream");
    UpstreamDependencies dependencies;
    dependencies.m_sets.resize(graph.idBound());
    dependencies.m_holders.resize(graph.idBound());
    dependencies.addWrites(graph);
    dependencies.addAutocast(graph);
    return dependencies;
}

void UpstreamDependencies::add(std::uint32_t node, std::uint32_t needed)
{
    m_sets[node].push_back(needed);
    m_holders[needed].push_back(node);
}

void UpstreamDependencies::addWrites(const Graph& graph)
{
    const std::vector<std::uint32_t> positions = graph.positions();
    const auto addOnce = [this](std::uint32_t node, std::uint32_t needed) {
        if (std::ranges::find(m_sets[node], needed) == m_sets[node].end())
            add(node, needed);
    };
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!node.meta.mutated)
            continue;
        std::vector<NodeId> reads;
        forEachNode(node.args, node.kwargs, [&](NodeId input) { reads.push_back(input); });
        for (const std::int32_t position : *node.meta.mutated) {
            if (position < 0 || static_cast<std::size_t>(position) >= reads.size())
                continue;
            for (const NodeId user : graph.users(reads[static_cast<std::size_t>(position)])) {
                if (positions[user.index()] < positions[id.index()])
                    addOnce(id.index(), user.index());
                else if (user != id)
                    addOnce(user.index(), id.index());
            }
        }
    }
}

void UpstreamDependencies::addAutocast(const Graph& graph)
{
    std::vector<std::uint32_t> autocasts;
    std::vector<std::uint32_t> before;
    /// per node: the last autocast that has it as an input or dependency
    std::vector<std::uint32_t> excluded(graph.idBound(), 0xffffffffU);
    for (const NodeId id : graph.nodes()) {
        const bool barrier = isAutocast(graph.node(id));
        if (barrier || !autocasts.empty()) {
            for (const NodeId input : graph.inputs(id))
                excluded[input.index()] = id.index();
            for (const std::uint32_t needed : m_sets[id.index()])
                excluded[needed] = id.index();
            const auto addAll = [&](const std::vector<std::uint32_t>& nodes) {
                for (const std::uint32_t needed : nodes)
                    if (std::exchange(excluded[needed], id.index()) != id.index())
                        add(id.index(), needed);
            };
            addAll(autocasts);
            if (barrier)
                addAll(before);
        }
        if (barrier)
            autocasts.push_back(id.index());
        before.push_back(id.index());
    }
}

void UpstreamDependencies::replace(std::uint32_t node, std::uint32_t call)
{
    m_sets.resize(std::max<std::size_t>(m_sets.size(), std::size_t{call} + 1));
    m_holders.resize(m_sets.size());
    m_sets[node].clear();
    for (const std::uint32_t holder : m_holders[node]) {
        std::vector<std::uint32_t>& set = m_sets[holder];
        if (std::erase(set, node) == 0 || (!set.empty() && set.back() == call))
            continue;
        set.push_back(call);
        m_holders[call].push_back(holder);
    }
    m_holders[node].clear();
}

} // namespace sunder
