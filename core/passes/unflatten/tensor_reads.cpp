#include "passes/unflatten/tensor_reads.h"

namespace sunder {

TensorReads::TensorReads(OutlineDraft& draft, const TensorNames* tensors) : m_draft(draft), m_tensors(tensors)
{
    if (m_tensors == nullptr)
        return;
    m_draft.outline.readsDirectly = true;
    m_draft.outline.names.leaveOut(m_tensors->placeholders());
    m_draft.outline.reads.reserve(m_tensors->placeholders().size());
    m_numberOf.assign(m_draft.flat.idBound(), kNone);
    m_readAt.resize(m_draft.flat.idBound());
    for (NodeId id = m_draft.flat.first(); id && m_draft.flat.node(id).op == Op::placeholder; id = m_draft.flat.next(id))
        if (const std::uint32_t* number = m_tensors->numberOf(m_draft.flat.node(id).name); number != nullptr)
            m_numberOf[id.index()] = *number;
}

NodeId TensorReads::read(std::size_t frame, NodeId flat)
{
    OutlineFrame& reader = m_draft.frames[frame];
    const std::uint32_t number = m_numberOf[flat.index()];
    const std::string_view path = reader.path.view();
    const InternedString name = m_tensors->nameBelow(path, number);
    if (name.empty())
        return {};
    Graph& graph = m_draft.graphOf(frame);
    const NodeId behind = reader.lastRead ? reader.lastRead : reader.lastInput;
    const Graph::InsertPoint front = graph.empty() ? Graph::InsertPoint::end() : Graph::InsertPoint::before(graph.first());
    const InsertScope scope(graph, behind ? Graph::InsertPoint::after(behind) : front);
    const NodeId node = graph.insert({.op = Op::getAttr,
                                      .target = path.empty() ? name : intern(name.view().substr(path.size() + 1)),
                                      .meta = m_draft.flat.node(flat).meta});
    reader.lastRead = node;
    reader.inputs.set(flat, node);
    m_draft.note(frame, flat, node, true);
    m_draft.outline.isOutOfOrder = m_draft.outline.isOutOfOrder || (frame > 0 && m_readAt[flat.index()] > reader.openedAt);
    m_draft.outline.reads.push_back({reader.graph, node, number, flat});
    m_readAt[flat.index()] = static_cast<std::uint32_t>(m_draft.outline.reads.size());
    markSunk(frame);
    return node;
}

/// Marks the graphs in which torch would have added an argument for a tensor: those of this frame and its callers.
void TensorReads::markSunk(std::size_t frame)
{
    std::vector<char>& isSunk = m_draft.outline.isSunk;
    isSunk.resize(m_draft.outline.objects.graphCount());
    for (std::size_t i = frame + 1; i-- > 0 && isSunk[m_draft.frames[i].graph.index()] == 0;)
        isSunk[m_draft.frames[i].graph.index()] = 1;
}

} // namespace sunder
