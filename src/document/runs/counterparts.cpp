#include "document/runs/counterparts.h"

#include "ir/identity_map.h"

#include <algorithm>

namespace sunder {
namespace {

const IdentityMap* mapOfAny(const Run* run)
{
    return run == nullptr ? nullptr : mapOf(*run);
}

} // namespace

std::vector<NodeRef> counterpartsIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes)
{
    const IdentityMap* map = mapOfAny(run);
    return map == nullptr ? std::vector<NodeRef>() : resultsOfNodes(*map, source, nodes);
}

std::vector<NodeRef> copiesIn(const Run* run, GraphId source, const std::vector<NodeId>& nodes)
{
    const IdentityMap* map = mapOfAny(run);
    return map == nullptr ? std::vector<NodeRef>() : resultsOfNodes(*map, source, nodes, Mapped::copies);
}

std::vector<NodeId> sourcesOf(const Run* run, GraphId source, const std::vector<NodeRef>& nodes)
{
    const IdentityMap* map = mapOfAny(run);
    return map == nullptr ? std::vector<NodeId>() : sourcesOfNodes(*map, source, nodes);
}

Selection pickedIn(const Run& run, GraphId source, std::vector<NodeRef> nodes)
{
    Selection selection{.source = sourcesOf(&run, source, nodes), .run = run.number};
    if (nodes.size() == 1)
        selection.focus = nodes.front();
    selection.picked = std::move(nodes);
    // Skipped for a call of a part, which represents all nodes of the part.
    if (selection.source.size() == 1)
        for (const NodeRef other : counterpartsIn(&run, source, selection.source))
            selection.picked.push_back(other);
    makeSet(selection.picked);
    return selection;
}

} // namespace sunder
