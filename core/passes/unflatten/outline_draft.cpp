#include "passes/unflatten/outline_draft.h"

namespace sunder {

OutlineDraft::OutlineDraft(const Program& whole, std::size_t callCount) : program(whole), flat(whole.rootGraph()), uses(flat)
{
    outline.names = GraphNames(flat);
    outline.objects.reserve(callCount + callCount / 4 + 16);
    outline.calls.reserve(callCount);
    outline.pairs.reserve(flat.size() + flat.size() / 2);
    frames.push_back({.path = {}, .object = ModuleObjects::root(), .graph = ObjectGraphId(0U), .callNode = {}});
    frames.back().closed = whole.calls.front().hasSignature;
}

void OutlineDraft::stop(std::string message, NodeId node, std::string other)
{
    if (!error)
        error = Error{ErrorCode::refused, std::move(message), {.node = flat.node(node).name.str(), .other = std::move(other)}};
}

void OutlineDraft::note(std::size_t frame, NodeId flatNode, NodeId node, bool created)
{
    outline.pairs.push_back({flatNode, frames[frame].graph, node, created});
}

void OutlineDraft::noteValue(std::size_t frame, NodeId flatNode, NodeId node, bool created)
{
    if (frames[frame].nodes.set(flatNode, node))
        frames[frame].order.push_back(flatNode);
    note(frame, flatNode, node, created);
}

} // namespace sunder
