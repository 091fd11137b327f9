#include "layout/collapse/folded_calls.h"

namespace sunder::collapse {
namespace {

/// Maximum number of readers of one value that are examined for a call: a mask, for example, is read and asserted in every layer.
constexpr std::size_t kMaxReaders = 64;

} // namespace

bool FoldedCalls::isCallUnit(Index unit) const
{
    return unit != kNone && m_graph[m_units.heads[unit]].isCall();
}

bool FoldedCalls::isIn(Index unit, Index scope) const
{
    return m_scopes.commonOf(m_units.scopeOf[unit], scope) == scope;
}

/// Returns the input of the call that is produced last.
NodeId FoldedCalls::lastOperand(NodeId id) const
{
    NodeId last;
    for (const NodeId input : m_graph.inputs(id)) {
        const bool isLater = !last || m_positions[input.index()] > m_positions[last.index()];
        last = isLater ? input : last;
    }
    return last;
}

/// Returns the first unit inside `scope` that reads `value`.
Index FoldedCalls::readerOf(NodeId value, Index scope) const
{
    std::size_t seen = 0;
    for (const NodeId user : m_graph.users(value)) {
        const Index unit = m_isFolded[user.index()] != 0 ? kNone : m_units.unitOf[user.index()];
        if (isCallUnit(unit) && isIn(unit, scope))
            return unit;
        if (++seen == kMaxReaders)
            break;
    }
    return kNone;
}

Index FoldedCalls::unitFor(NodeId id, Index scope) const
{
    const NodeId operand = lastOperand(id);
    const Index maker = operand && m_units.weightOf[operand.index()] == kNone ? m_units.unitOf[operand.index()] : kNone;
    if (isCallUnit(maker) && isIn(maker, scope))
        return maker;
    if (const Index reader = operand ? readerOf(operand, scope) : kNone; reader != kNone)
        return reader;
    if (isCallUnit(maker))
        return maker;
    const Index reader = operand ? readerOf(operand, 0) : kNone;
    return reader != kNone ? reader : m_neighbor;
}

void FoldedCalls::assign(bool modules)
{
    for (Index unit = 0; unit < m_units.size() && m_neighbor == kNone; ++unit)
        m_neighbor = isCallUnit(unit) ? unit : kNone;
    for (const NodeId id : m_graph.nodes()) {
        Index& unit = m_units.unitOf[id.index()];
        if (m_isFolded[id.index()] == 0) {
            m_neighbor = isCallUnit(unit) && m_units.weightOf[id.index()] == kNone ? unit : m_neighbor;
            continue;
        }
        const StackId stack = m_graph[id].meta.modules;
        const Index scope = modules && stack ? m_scopes.ofStack[stack.index()] : 0;
        unit = unitFor(id, scope == kNone ? 0 : scope);
        for (const NodeId input : m_graph.inputs(id))
            if (m_units.unitOf[input.index()] == kNone)
                m_units.unitOf[input.index()] = unit;
    }
    list();
}

void FoldedCalls::list()
{
    m_units.foldedStart.assign(m_units.size() + 1, 0);
    const auto isListed = [&](NodeId id) { return m_isFolded[id.index()] != 0 && m_units.unitOf[id.index()] != kNone; };
    for (const NodeId id : m_graph.nodes())
        if (isListed(id))
            ++m_units.foldedStart[m_units.unitOf[id.index()] + 1];
    for (Index unit = 0; unit < m_units.size(); ++unit)
        m_units.foldedStart[unit + 1] += m_units.foldedStart[unit];
    m_units.folded.resize(m_units.foldedStart.back());
    std::vector<Index> next = m_units.foldedStart;
    for (const NodeId id : m_graph.nodes())
        if (isListed(id))
            m_units.folded[next[m_units.unitOf[id.index()]]++] = id;
}

} // namespace sunder::collapse
