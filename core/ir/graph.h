#pragma once

#include "ir/namespace.h"
#include "ir/node.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <iterator>
#include <span>
#include <vector>

namespace sunder {

/// A torch.fx graph: nodes in an order that is also the order of execution, each with args, kwargs and its users.
/// Ids stay valid for the life of the graph; erased nodes leave a gap. All operations that torch offers behave as
/// torch's do, the order of `users` included. Copying a Graph copies everything.
class Graph {
    struct Use;

public:
    /// Where create() and copy() put nodes: the end of the list (even behind an output), before or behind a node.
    /// Behind a node, several nodes come out in reverse, as in torch.
    struct InsertPoint {
        enum class Where : std::uint8_t { end, before, after } where = Where::end;
        NodeId node = {};
        static InsertPoint end() { return {}; }
        static InsertPoint before(NodeId node) { return {Where::before, node}; }
        static InsertPoint after(NodeId node) { return {Where::after, node}; }
    };

    // Building --------------------------------------------------------------------------------

    /// Adds a node at the insert point under a unique name made from `spec.name` or the target. O(inputs).
    NodeId create(NodeSpec spec);
    /// Adds a node at the end under exactly `spec.name`, which the caller knows to be unused. For readers. O(inputs).
    NodeId append(NodeSpec spec);
    /// The same at the insert point.
    NodeId insert(NodeSpec spec);
    /// Adds a copy of a node of `source` with args and kwargs given; the source's name is the candidate. Takes type
    /// and meta along, not tag and size, as torch's node_copy.
    NodeId copy(const Graph& source, NodeId node, Arguments args, Keywords kwargs);
    /// The same with `replace(NodeId) -> Argument` applied to every node in the arguments.
    template <typename Replace>
    NodeId copy(const Graph& source, NodeId id, const Replace& replace)
    {
        const Node& from = source.node(id);
        return copy(source, id, mapNodes(from.args, replace), mapNodes(from.kwargs, replace));
    }
    /// Makes room for so many nodes in all, and for as many uses (a quarter more than nodes when not known).
    void reserve(std::size_t nodes, std::optional<std::size_t> uses = {});

    [[nodiscard]] InsertPoint insertPoint() const { return m_insertPoint; }
    void setInsertPoint(InsertPoint point) { m_insertPoint = point; }

    // Changing --------------------------------------------------------------------------------

    /// Removes a node; refused, with a user named, while it has users.
    Result<void> erase(NodeId id);
    /// Drops the node from its old inputs' users, then adds it in argument order.
    void setArguments(NodeId id, Arguments args, Keywords kwargs);
    /// Puts other arguments in place that name the same nodes in the same order; users stay as they are.
    void rewriteConstants(NodeId id, Arguments args, Keywords kwargs);
    /// In every user of `from` for which `wanted(user)` holds, puts `to` in its place. Returns the changed users.
    std::vector<NodeId> replaceAllUses(NodeId from, NodeId to);
    template <typename Wanted>
    std::vector<NodeId> replaceUsesIf(NodeId from, NodeId to, const Wanted& wanted);
    void replaceInput(NodeId user, NodeId from, NodeId to);
    /// Moves a node within the list, directly before or behind another.
    void moveBefore(NodeId id, NodeId other);
    void moveAfter(NodeId id, NodeId other);
    /// Gives `users` another order; `order` holds the same nodes.
    void setUserOrder(NodeId id, std::span<const NodeId> order);

    void setName(NodeId id, InternedString name);
    void setTarget(NodeId id, InternedString target, InternedString fn);
    void setTag(NodeId id, InternedString tag) { mutableNode(id).tag = tag; }
    void setSizeBytes(NodeId id, SharedValue<SizeBytes> size) { mutableNode(id).sizeBytes = std::move(size); }
    [[nodiscard]] NodeMeta& meta(NodeId id) { return mutableNode(id).meta; }
    /// The unique names given so far; built on first use from the nodes in graph order.
    Namespace& names();

    // Reading ---------------------------------------------------------------------------------

    [[nodiscard]] const Node& node(NodeId id) const { return m_nodes[id.index()]; }
    [[nodiscard]] const Node& operator[](NodeId id) const { return m_nodes[id.index()]; }
    /// Nodes in the list now, without the erased ones.
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    /// One more than the largest index in use: the length of a table indexed by NodeId.
    [[nodiscard]] std::size_t idBound() const { return m_nodes.size(); }
    [[nodiscard]] NodeId first() const { return m_first; }
    [[nodiscard]] NodeId last() const { return m_last; }
    [[nodiscard]] NodeId next(NodeId id) const { return node(id).m_next; }
    [[nodiscard]] NodeId previous(NodeId id) const { return node(id).m_previous; }
    /// The first output node; invalid when there is none. O(nodes) at worst, O(1) when the output is last.
    [[nodiscard]] NodeId output() const;

    class NodeIterator;
    struct NodeRange;
    /// Node ids in graph order: `for (NodeId id : graph.nodes())`.
    [[nodiscard]] NodeRange nodes() const;

    class UseIterator;
    struct UseRange;
    /// The nodes that use this one, in torch's order.
    [[nodiscard]] UseRange users(NodeId id) const;
    /// torch's all_input_nodes: distinct nodes in args and kwargs, by first appearance.
    [[nodiscard]] UseRange inputs(NodeId id) const;

    /// Ids in graph order as a table. O(nodes).
    [[nodiscard]] std::vector<NodeId> order() const;
    /// Position in graph order of each id (indexed by id; erased: 0xffffffff). O(ids).
    [[nodiscard]] std::vector<std::uint32_t> positions() const;
    /// The node of that name; invalid when there is none. O(nodes): for one look-up. For many, build a NodeIndex.
    [[nodiscard]] NodeId find(InternedString name) const;

private:
    struct Use {
        NodeId user;
        NodeId input;
        std::uint32_t previousUser; ///< links among the uses of `input`; that of the first leads to the last
        std::uint32_t nextUser;
        std::uint32_t nextInput; ///< link among the uses that `user` makes
    };

    Node& mutableNode(NodeId id) { return m_nodes[id.index()]; }
    NodeId add(NodeSpec&& spec, InsertPoint point);
    void link(NodeId id, InsertPoint point);
    void unlink(NodeId id);
    void addUses(NodeId user);
    void removeUses(NodeId user);
    void addUse(NodeId user, NodeId input, std::uint32_t& lastInput);

    std::vector<Node> m_nodes;
    std::vector<Use> m_uses;
    std::vector<std::uint32_t> m_freeUses;
    std::vector<std::uint32_t> m_seen; ///< scratch: stamp per node, to find distinct inputs in linear time
    std::uint32_t m_stamp = 0;
    std::size_t m_size = 0;
    NodeId m_first;
    NodeId m_last;
    InsertPoint m_insertPoint;
    std::optional<Namespace> m_names;
};

class Graph::NodeIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;

    NodeIterator() = default;
    NodeIterator(const Graph* graph, NodeId id) : m_graph(graph), m_id(id) {}
    NodeId operator*() const { return m_id; }
    NodeIterator& operator++()
    {
        m_id = m_graph->next(m_id);
        return *this;
    }
    NodeIterator operator++(int)
    {
        NodeIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const NodeIterator& a, const NodeIterator& b) { return a.m_id == b.m_id; }

private:
    const Graph* m_graph = nullptr;
    NodeId m_id;
};

struct Graph::NodeRange {
    const Graph* graph;
    [[nodiscard]] NodeIterator begin() const { return {graph, graph->first()}; }
    [[nodiscard]] NodeIterator end() const { return {graph, NodeId()}; }
};

class Graph::UseIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;

    UseIterator() = default;
    UseIterator(const Graph* graph, std::uint32_t use, bool users) : m_graph(graph), m_use(use), m_users(users) {}
    NodeId operator*() const { return m_users ? m_graph->m_uses[m_use].user : m_graph->m_uses[m_use].input; }
    UseIterator& operator++()
    {
        m_use = m_users ? m_graph->m_uses[m_use].nextUser : m_graph->m_uses[m_use].nextInput;
        return *this;
    }
    UseIterator operator++(int)
    {
        UseIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const UseIterator& a, const UseIterator& b) { return a.m_use == b.m_use; }

private:
    const Graph* m_graph = nullptr;
    std::uint32_t m_use = Node::kNone;
    bool m_users = true;
    friend class Graph;
};

struct Graph::UseRange {
    const Graph* graph;
    std::uint32_t firstUse;
    bool users;
    [[nodiscard]] UseIterator begin() const { return {graph, firstUse, users}; }
    [[nodiscard]] UseIterator end() const { return {graph, 0xffffffffU, users}; }
    [[nodiscard]] bool empty() const { return firstUse == 0xffffffffU; }
    [[nodiscard]] NodeId front() const { return *begin(); }
};

inline Graph::NodeRange Graph::nodes() const
{
    return {this};
}

inline Graph::UseRange Graph::users(NodeId id) const
{
    return {this, node(id).m_firstUser, true};
}

inline Graph::UseRange Graph::inputs(NodeId id) const
{
    return {this, node(id).m_firstInput, false};
}

template <typename Wanted>
std::vector<NodeId> Graph::replaceUsesIf(NodeId from, NodeId to, const Wanted& wanted)
{
    std::vector<NodeId> changed;
    for (const NodeId user : users(from))
        if (wanted(user))
            changed.push_back(user);
    for (const NodeId user : changed)
        replaceInput(user, from, to);
    return changed;
}

/// Sets an insert point and puts the old one back at the end of the scope.
class InsertScope {
public:
    InsertScope(Graph& graph, Graph::InsertPoint point) : m_graph(graph), m_before(graph.insertPoint())
    {
        graph.setInsertPoint(point);
    }
    ~InsertScope() { m_graph.setInsertPoint(m_before); }
    InsertScope(const InsertScope&) = delete;
    InsertScope& operator=(const InsertScope&) = delete;

private:
    Graph& m_graph;
    Graph::InsertPoint m_before;
};

/// Finds nodes by name in O(1); a snapshot of the graph at construction.
class NodeIndex {
public:
    NodeIndex() = default; ///< finds nothing
    /// Unfinished once `monitor` was cancelled.
    explicit NodeIndex(const Graph& graph, ProgressMonitor& monitor = ProgressMonitor::none());
    /// Invalid when no node has the name.
    [[nodiscard]] NodeId find(InternedString name) const;

private:
    FlatMap<NodeId> m_ids;
};

} // namespace sunder
