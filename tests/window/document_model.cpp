#include "document_model.h"

#include <algorithm>
#include <iterator>

namespace sunder::test {

DocumentModel::DocumentModel(const Program& program, Tags tags)
{
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        m_calls.insert(graph[id].name.str());
        for (const NodeId input : graph.inputs(id))
            if (graph[input].isCall())
                m_edges.emplace(graph[input].name.str(), graph[id].name.str());
    }
    m_steps.push_back(std::move(tags));
}

void DocumentModel::begin(Tags tags)
{
    m_steps = {std::move(tags)};
    m_at = 0;
    save();
}

void DocumentModel::step(Tags tags)
{
    m_steps.resize(m_at + 1);
    if (m_saved && *m_saved > m_at)
        m_saved.reset(); // the saved state is no longer reachable
    m_steps.push_back(std::move(tags));
    ++m_at;
}

void DocumentModel::retag(const std::set<std::string>& nodes, const std::optional<std::string>& tag)
{
    Tags tags = now();
    for (const std::string& node : nodes) {
        if (!m_calls.contains(node))
            continue;
        if (tag)
            tags.tagOf[node] = *tag;
        else
            tags.tagOf.erase(node);
    }
    if (tags != now())
        step(std::move(tags));
}

std::set<std::string> DocumentModel::reached(const std::set<std::string>& nodes, Way way) const
{
    std::set<std::string> reached;
    std::ranges::copy_if(nodes, std::inserter(reached, reached.end()),
                         [this](const auto& node) { return m_calls.contains(node); });
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const auto& [producer, consumer] : m_edges)
            if (reached.contains(way == Way::needing ? producer : consumer))
                reached.insert(way == Way::needing ? consumer : producer);
    }
    return reached;
}

std::size_t DocumentModel::untagged() const
{
    return m_calls.size() - now().tagOf.size();
}

std::size_t DocumentModel::backwardEdges() const
{
    const auto place = [&](const std::string& node) -> std::optional<std::ptrdiff_t> {
        const auto tag = now().tagOf.find(node);
        if (tag == now().tagOf.end())
            return {};
        return std::ranges::find(now().order, tag->second) - now().order.begin();
    };
    return static_cast<std::size_t>(std::ranges::count_if(m_edges, [&](const auto& edge) {
        const auto from = place(edge.first);
        const auto to = place(edge.second);
        return from && to && *from > *to;
    }));
}

std::size_t DocumentModel::countOf(const std::string& tag) const
{
    return static_cast<std::size_t>(std::ranges::count_if(now().tagOf, [&](const auto& pair) { return pair.second == tag; }));
}

} // namespace sunder::test
