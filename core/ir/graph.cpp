#include "ir/graph.h"

#include "support/progress_monitor.h"

#include <cassert>

namespace sunder {

NodeId Graph::create(NodeSpec spec)
{
    if (spec.name.empty())
        spec.name = names().candidateFor(spec.op, spec.target, spec.fn);
    spec.name = names().create(spec.name);
    return add(std::move(spec), m_insertPoint);
}

NodeId Graph::append(NodeSpec spec)
{
    if (m_names)
        m_names->create(spec.name);
    return add(std::move(spec), InsertPoint::end());
}

NodeId Graph::insert(NodeSpec spec)
{
    if (m_names)
        m_names->create(spec.name);
    return add(std::move(spec), m_insertPoint);
}

NodeId Graph::copy(const Graph& source, NodeId id, Arguments args, Keywords kwargs)
{
    const Node& from = source.node(id);
    return create({.op = from.op,
                   .name = from.name,
                   .target = from.target,
                   .fn = from.fn,
                   .args = std::move(args),
                   .kwargs = std::move(kwargs),
                   .type = from.type,
                   .meta = from.meta});
}

void Graph::reserve(std::size_t nodes, std::optional<std::size_t> uses)
{
    m_nodes.reserve(nodes);
    m_seen.reserve(nodes);
    m_uses.reserve(uses.value_or(nodes + nodes / 4));
}

Namespace& Graph::names()
{
    if (!m_names) {
        m_names.emplace();
        m_names->reserve(m_nodes.capacity());
        for (const NodeId id : nodes())
            m_names->create(node(id).name);
    }
    return *m_names;
}

NodeId Graph::add(NodeSpec&& spec, InsertPoint point)
{
    const NodeId id(m_nodes.size());
    m_nodes.emplace_back(std::move(spec), Node::Key());
    m_seen.push_back(0);
    link(id, point);
    addUses(id);
    ++m_size;
    return id;
}

void Graph::link(NodeId id, InsertPoint point)
{
    NodeId before;
    NodeId after = m_last;
    if (point.where == InsertPoint::Where::before) {
        before = point.node;
        after = node(point.node).m_previous;
    } else if (point.where == InsertPoint::Where::after) {
        after = point.node;
        before = node(point.node).m_next;
    }
    Node& added = mutableNode(id);
    added.m_previous = after;
    added.m_next = before;
    (after ? mutableNode(after).m_next : m_first) = id;
    (before ? mutableNode(before).m_previous : m_last) = id;
}

void Graph::unlink(NodeId id)
{
    const Node& gone = node(id);
    (gone.m_previous ? mutableNode(gone.m_previous).m_next : m_first) = gone.m_next;
    (gone.m_next ? mutableNode(gone.m_next).m_previous : m_last) = gone.m_previous;
}

void Graph::addUses(NodeId user)
{
    ++m_stamp;
    std::uint32_t lastInput = Node::kNone;
    forEachNode(node(user).args, node(user).kwargs, [&](NodeId input) {
        assert(input.index() < m_nodes.size() && !node(input).isErased());
        if (m_seen[input.index()] == m_stamp)
            return;
        m_seen[input.index()] = m_stamp;
        addUse(user, input, lastInput);
    });
}

void Graph::addUse(NodeId user, NodeId input, std::uint32_t& lastInput)
{
    std::uint32_t at = 0;
    if (m_freeUses.empty()) {
        at = static_cast<std::uint32_t>(m_uses.size());
        m_uses.emplace_back();
    } else {
        at = m_freeUses.back();
        m_freeUses.pop_back();
    }
    Node& used = mutableNode(input);
    const bool isFirst = used.m_firstUser == Node::kNone;
    if (isFirst)
        used.m_firstUser = at;
    Use& first = m_uses[used.m_firstUser];
    m_uses[at] = {user, input, isFirst ? at : first.previousUser, Node::kNone, Node::kNone};
    if (!isFirst)
        m_uses[first.previousUser].nextUser = at;
    first.previousUser = at;
    ++used.m_userCount;
    (lastInput != Node::kNone ? m_uses[lastInput].nextInput : mutableNode(user).m_firstInput) = at;
    lastInput = at;
}

void Graph::removeUses(NodeId user)
{
    for (std::uint32_t at = node(user).m_firstInput; at != Node::kNone;) {
        const Use use = m_uses[at];
        Node& used = mutableNode(use.input);
        const bool isFirst = used.m_firstUser == at;
        (isFirst ? used.m_firstUser : m_uses[use.previousUser].nextUser) = use.nextUser;
        if (use.nextUser != Node::kNone)
            m_uses[use.nextUser].previousUser = use.previousUser;
        else if (!isFirst)
            m_uses[used.m_firstUser].previousUser = use.previousUser;
        --used.m_userCount;
        m_freeUses.push_back(at);
        at = use.nextInput;
    }
    mutableNode(user).m_firstInput = Node::kNone;
}

Result<void> Graph::erase(NodeId id)
{
    const Node& gone = node(id);
    assert(!gone.isErased());
    if (gone.m_firstUser != Node::kNone) {
        const NodeId user = users(id).front();
        return fail(ErrorCode::refused,
                    "cannot erase " + gone.name.str() + ": it is used by " + node(user).name.str()
                        + (gone.userCount() > 1 ? " and " + std::to_string(gone.userCount() - 1) + " more" : ""),
                    {.node = gone.name.str(), .other = node(user).name.str()});
    }
    removeUses(id);
    unlink(id);
    Node& erased = mutableNode(id);
    erased.m_previous = NodeId(Node::kErased);
    erased.args.clear();
    erased.kwargs.clear();
    --m_size;
    return {};
}

void Graph::setArguments(NodeId id, Arguments args, Keywords kwargs)
{
    removeUses(id);
    mutableNode(id).args = std::move(args);
    mutableNode(id).kwargs = std::move(kwargs);
    addUses(id);
}

void Graph::rewriteConstants(NodeId id, Arguments args, Keywords kwargs)
{
    mutableNode(id).args = std::move(args);
    mutableNode(id).kwargs = std::move(kwargs);
}

std::vector<NodeId> Graph::replaceAllUses(NodeId from, NodeId to)
{
    return replaceUsesIf(from, to, [](NodeId) { return true; });
}

void Graph::replaceInput(NodeId user, NodeId from, NodeId to)
{
    const auto swap = [from, to](NodeId id) { return Argument::node(id == from ? to : id); };
    setArguments(user, mapNodes(node(user).args, swap), mapNodes(node(user).kwargs, swap));
}

void Graph::moveBefore(NodeId id, NodeId other)
{
    if (id == other)
        return;
    unlink(id);
    link(id, InsertPoint::before(other));
}

void Graph::moveAfter(NodeId id, NodeId other)
{
    if (id == other)
        return;
    unlink(id);
    link(id, InsertPoint::after(other));
}

void Graph::setUserOrder(NodeId id, std::span<const NodeId> order)
{
    assert(order.size() == node(id).userCount());
    std::unordered_map<NodeId, std::uint32_t> uses;
    for (UseIterator at = users(id).begin(); at != users(id).end(); ++at)
        uses.emplace(*at, at.m_use);
    Node& used = mutableNode(id);
    std::uint32_t previous = Node::kNone;
    for (const NodeId user : order) {
        const std::uint32_t at = uses.at(user);
        m_uses[at].previousUser = previous;
        m_uses[at].nextUser = Node::kNone;
        (previous != Node::kNone ? m_uses[previous].nextUser : used.m_firstUser) = at;
        previous = at;
    }
    if (used.m_firstUser != Node::kNone)
        m_uses[used.m_firstUser].previousUser = previous;
}

void Graph::setName(NodeId id, InternedString name)
{
    if (m_names)
        m_names->use(name);
    mutableNode(id).name = name;
}

void Graph::setTarget(NodeId id, InternedString target, InternedString fn)
{
    mutableNode(id).target = target;
    mutableNode(id).fn = fn;
}

NodeId Graph::output() const
{
    if (m_last && node(m_last).op == Op::output)
        return m_last;
    for (const NodeId id : nodes())
        if (node(id).op == Op::output)
            return id;
    return {};
}

std::vector<NodeId> Graph::order() const
{
    std::vector<NodeId> ids;
    ids.reserve(m_size);
    for (const NodeId id : nodes())
        ids.push_back(id);
    return ids;
}

std::vector<std::uint32_t> Graph::positions() const
{
    std::vector<std::uint32_t> at(m_nodes.size(), 0xffffffffU);
    std::uint32_t position = 0;
    for (const NodeId id : nodes())
        at[id.index()] = position++;
    return at;
}

NodeId Graph::find(InternedString name) const
{
    for (const NodeId id : nodes())
        if (node(id).name == name)
            return id;
    return {};
}

NodeIndex::NodeIndex(const Graph& graph) : NodeIndex(*build(graph, ProgressMonitor::none())) {}

Result<NodeIndex> NodeIndex::build(const Graph& graph, ProgressMonitor& monitor)
{
    NodeIndex index;
    index.m_ids.reserve(graph.size());
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        index.m_ids.emplace(graph.node(id).name, id);
    }
    return index;
}

NodeId NodeIndex::find(InternedString name) const
{
    const NodeId* found = m_ids.find(name);
    return found != nullptr ? *found : NodeId();
}

} // namespace sunder
