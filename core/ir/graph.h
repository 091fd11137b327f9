#pragma once

#include "ir/namespace.h"
#include "ir/node.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <iterator>
#include <span>
#include <vector>

namespace sunder {

/// A torch.fx graph: nodes in execution order, each with args, kwargs, and users. Ids stay valid for the lifetime of the graph;
/// erased nodes leave gaps. All operations behave like those of torch.fx, including the order of `users`. Copying a Graph is a
/// deep copy.
class Graph {
    struct Use;

public:
    /// The position of new nodes: the end of the list (even after an output), or before or after a node. Several nodes inserted
    /// after a node end up in reverse order, as in torch.fx.
    struct InsertPoint {
        enum class Where : std::uint8_t { end, before, after } where = Where::end;
        NodeId node = {};
        static InsertPoint end() { return {}; }
        static InsertPoint before(NodeId node) { return {Where::before, node}; }
        static InsertPoint after(NodeId node) { return {Where::after, node}; }
    };

    // Building --------------------------------------------------------------------------------

    /// Adds a node at the insert point under a unique name derived from `spec.name` or the target. O(inputs).
    NodeId create(NodeSpec spec);
    /// Adds a node at the end under exactly `spec.name`, which must be unused. For readers. O(inputs).
    NodeId append(NodeSpec spec);
    /// Like append(), but at the insert point.
    NodeId insert(NodeSpec spec);
    /// Adds a copy of a node of `source` with the given args and kwargs, and the source's name as candidate. Copies type and
    /// metadata, but not tag and size, like torch.fx's node_copy.
    NodeId copy(const Graph& source, NodeId node, Arguments args, Keywords kwargs);
    /// Adds a copy in which every node in the arguments is replaced by `replace(NodeId) -> Argument`.
    template <typename Replace>
    NodeId copy(const Graph& source, NodeId id, const Replace& replace)
    {
        const Node& from = source.node(id);
        return copy(source, id, mapNodes(from.args, replace), mapNodes(from.kwargs, replace));
    }
    /// Reserves memory for a total number of nodes and uses (by default, 25% more uses than nodes).
    void reserve(std::size_t nodes, std::optional<std::size_t> uses = {});

    [[nodiscard]] InsertPoint insertPoint() const { return m_insertPoint; }
    void setInsertPoint(InsertPoint point) { m_insertPoint = point; }

    // Changing --------------------------------------------------------------------------------

    /// Removes a node. Fails and names a user if it has any.
    Result<void> erase(NodeId id);
    /// Removes the node from its old inputs' users, then adds it to those of its new inputs in argument order.
    void setArguments(NodeId id, Arguments args, Keywords kwargs);
    /// Replaces the arguments by others that contain the same nodes in the same order. Users do not change.
    void rewriteConstants(NodeId id, Arguments args, Keywords kwargs);
    /// Replaces `from` by `to` in every user of `from` for which `wanted(user)` holds. Returns the changed users.
    std::vector<NodeId> replaceAllUses(NodeId from, NodeId to);
    template <typename Wanted>
    std::vector<NodeId> replaceUsesIf(NodeId from, NodeId to, const Wanted& wanted);
    void replaceInput(NodeId user, NodeId from, NodeId to);
    /// Moves a node within the list, directly before or after another.
    void moveBefore(NodeId id, NodeId other);
    void moveAfter(NodeId id, NodeId other);
    /// Reorders the users of a node; `order` contains the same nodes.
    void setUserOrder(NodeId id, std::span<const NodeId> order);

    void setName(NodeId id, InternedString name);
    void setTarget(NodeId id, InternedString target, InternedString fn);
    void setTag(NodeId id, InternedString tag) { mutableNode(id).tag = tag; }
    void setSizeBytes(NodeId id, SharedValue<SizeBytes> size) { mutableNode(id).sizeBytes = std::move(size); }
    [[nodiscard]] NodeMeta& meta(NodeId id) { return mutableNode(id).meta; }
    /// Returns the namespace of all names used so far. Built on first use from the nodes in graph order.
    Namespace& names();

    // Reading ---------------------------------------------------------------------------------

    [[nodiscard]] const Node& node(NodeId id) const { return m_nodes[id.index()]; }
    [[nodiscard]] const Node& operator[](NodeId id) const { return m_nodes[id.index()]; }
    /// Returns the number of nodes, without erased ones.
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    /// Returns the largest index in use plus one: the length of a table indexed by NodeId.
    [[nodiscard]] std::size_t idBound() const { return m_nodes.size(); }
    [[nodiscard]] NodeId first() const { return m_first; }
    [[nodiscard]] NodeId last() const { return m_last; }
    [[nodiscard]] NodeId next(NodeId id) const { return node(id).m_next; }
    [[nodiscard]] NodeId previous(NodeId id) const { return node(id).m_previous; }
    /// Returns the first output node; invalid if there is none. O(nodes) in the worst case, O(1) if the output is last.
    [[nodiscard]] NodeId output() const;

    class NodeIterator;
    struct NodeRange;
    /// Iterates over node ids in graph order: `for (NodeId id : graph.nodes())`.
    [[nodiscard]] NodeRange nodes() const;

    class UseIterator;
    struct UseRange;
    /// Returns the users of a node, in torch.fx's order.
    [[nodiscard]] UseRange users(NodeId id) const;
    /// Returns torch.fx's all_input_nodes: the distinct nodes in args and kwargs, by first appearance.
    [[nodiscard]] UseRange inputs(NodeId id) const;

    /// Returns the ids in graph order. O(nodes).
    [[nodiscard]] std::vector<NodeId> order() const;
    /// Returns the position of each node in graph order, indexed by id; 0xffffffff for erased nodes. O(ids).
    [[nodiscard]] std::vector<std::uint32_t> positions() const;
    /// Returns the node with this name; invalid if there is none. O(nodes). For repeated look-ups, use a NodeIndex.
    [[nodiscard]] NodeId find(InternedString name) const;

private:
    struct Use {
        NodeId user;
        NodeId input;
        std::uint32_t previousUser; ///< links the uses of `input`; the first one's links to the last
        std::uint32_t nextUser;
        std::uint32_t nextInput; ///< links the uses by `user`
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
    std::vector<std::uint32_t> m_seen; ///< scratch: a stamp per node, to find distinct inputs in linear time
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

/// Sets an insert point and restores the previous one at the end of the scope.
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

/// Finds nodes by name in O(1). A snapshot of the graph at construction.
class NodeIndex {
public:
    NodeIndex() = default; ///< an empty index
    explicit NodeIndex(const Graph& graph);
    /// Same; fails with ErrorCode::cancelled.
    static Result<NodeIndex> build(const Graph& graph, ProgressMonitor& monitor);
    /// Returns the node with this name; invalid if there is none.
    [[nodiscard]] NodeId find(InternedString name) const;

private:
    FlatMap<NodeId> m_ids;
};

} // namespace sunder
