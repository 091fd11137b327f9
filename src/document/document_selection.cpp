// What is selected, hovered and found, and what stands for it in the programs of the runs.
#include "document/document.h"

#include "ir/mapped_nodes.h"

#include <algorithm>

namespace sunder {
namespace {

template <typename T>
void makeSet(std::vector<T>& values)
{
    if (!std::is_sorted(values.begin(), values.end()))
        std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace

void Document::select(std::vector<NodeId> nodes, const QString& what)
{
    makeSet(nodes);
    Selection selection{.source = std::move(nodes), .what = what};
    if (isOpen() && selection.source.size() == 1)
        selection.focus = {m_snapshot->program.root, selection.source.front()};
    m_selection = std::move(selection);
    emit changed(Change::selection);
}

void Document::selectIn(int run, std::vector<NodeRef> nodes)
{
    const Run* at = this->run(run);
    if (at == nullptr || mapOf(*at) == nullptr)
        return;
    Selection selection{.source = sourcesOf(run, nodes), .run = run};
    if (nodes.size() == 1)
        selection.focus = nodes.front();
    selection.picked = std::move(nodes);
    // A call of a part stands for all in it; its counterparts in the parts would be everything at once.
    if (selection.source.size() == 1)
        for (const NodeRef other : counterpartsIn(run, selection.source))
            selection.picked.push_back(other);
    makeSet(selection.picked);
    m_selection = std::move(selection);
    emit changed(Change::selection);
}

std::vector<NodeRef> Document::selectedIn(int run) const
{
    return m_selection.run == run && run != 0 ? m_selection.picked : counterpartsIn(run, m_selection.source);
}

std::vector<NodeRef> Document::counterpartsIn(int run, const std::vector<NodeId>& source) const
{
    const Run* at = this->run(run);
    const IdentityMap* map = at == nullptr ? nullptr : mapOf(*at);
    return map == nullptr ? std::vector<NodeRef>() : resultsOfNodes(*map, m_snapshot->program.root, source);
}

std::vector<NodeRef> Document::copiesIn(int run, const std::vector<NodeId>& source) const
{
    const Run* at = this->run(run);
    const IdentityMap* map = at == nullptr ? nullptr : mapOf(*at);
    return map == nullptr ? std::vector<NodeRef>() : resultsOfNodes(*map, m_snapshot->program.root, source, Mapped::copies);
}

std::vector<NodeId> Document::sourcesOf(int run, const std::vector<NodeRef>& nodes) const
{
    const Run* at = this->run(run);
    const IdentityMap* map = at == nullptr ? nullptr : mapOf(*at);
    return map == nullptr ? std::vector<NodeId>() : sourcesOfNodes(*map, m_snapshot->program.root, nodes);
}

void Document::setHovered(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_hovered)
        return;
    m_hovered = std::move(nodes);
    emit hoverChanged();
}

void Document::setFound(std::vector<NodeId> nodes)
{
    makeSet(nodes);
    if (nodes == m_found)
        return;
    m_found = std::move(nodes);
    emit foundChanged();
}

bool Document::selectNextUntagged()
{
    if (!isOpen())
        return false;
    const auto& positions = m_snapshot->positions;
    NodeId first;
    NodeId next;
    const std::uint32_t here = m_selection.source.empty() ? 0 : positions[m_selection.source.front().index()];
    for (const NodeId id : report().untagged) {
        if (m_state.tags[id] >= 0)
            continue; // painted while the check is under way
        first = first ? first : id;
        if (positions[id.index()] > here) {
            next = id;
            break;
        }
    }
    if (!first)
        return false;
    select({next ? next : first});
    emit revealRequested();
    return true;
}

} // namespace sunder
