#include "passes/move_non_tensor/move_non_tensor.h"

#include "analysis/boundary_kinds.h"
#include "ir/value_kind.h"

#include <algorithm>
#include <array>

// torch.fx's move_non_tensor_nodes_on_boundary. Devices exchange tensors. A size or list that one subgraph computes and another
// uses cannot be sent as a tensor, so it is computed in the subgraph that uses it. torch visits all descendants of a node at each
// attempt to move it. Here, one backward pass per subgraph finds the foreign subgraphs reachable from each node. A move adds at
// most two of them to each remaining node, since only "none", "one" and "several" matter. That makes the pass linear.

namespace sunder {
namespace {

/// Up to two calls from different foreign subgraphs, with the subgraph of each at the time it was added.
struct ForeignUsers {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    struct User {
        NodeId node;
        std::uint32_t subgraph = kNone;
    };
    std::array<User, 2> users;

    [[nodiscard]] bool areNone() const { return users[0].subgraph == kNone; }
    [[nodiscard]] bool areInSeveral() const { return users[1].subgraph != kNone; }
    /// Adds a user. Returns false if nothing changes.
    bool add(User user)
    {
        if (user.subgraph == kNone || user.subgraph == users[0].subgraph || areInSeveral())
            return false;
        users[areNone() ? 0 : 1] = user;
        return true;
    }
};

/// The current subgraph of every node.
class NodePlaces {
public:
    static constexpr std::uint32_t kNone = ForeignUsers::kNone;

    explicit NodePlaces(const Graph& graph) : m_graph(graph), m_subgraph(graph.idBound(), kNone) {}

    [[nodiscard]] std::uint32_t operator[](NodeId id) const { return m_subgraph[id.index()]; }
    void set(NodeId id, std::uint32_t subgraph) { m_subgraph[id.index()] = subgraph; }
    /// Returns calls that use a node from other subgraphs. O(users).
    [[nodiscard]] ForeignUsers foreignUsers(NodeId id) const
    {
        ForeignUsers found;
        for (const NodeId user : m_graph.users(id))
            if (m_graph[user].isCall() && (*this)[user] != (*this)[id])
                found.add({user, (*this)[user]});
        return found;
    }

private:
    const Graph& m_graph;
    std::vector<std::uint32_t> m_subgraph; ///< per NodeId; kNone for nodes outside all subgraphs
};

constexpr std::uint32_t kNoSubgraph = NodePlaces::kNone;

class Mover {
public:
    Mover(const Graph& graph, TensorTelling telling, ProgressMonitor& monitor)
        : m_graph(graph), m_telling(telling), m_monitor(monitor), m_places(graph), m_slot(graph.idBound(), kNoSubgraph),
          m_position(graph.positions()), m_reach(graph.idBound()), m_isProcessed(graph.idBound(), 0),
          m_veto(graph.idBound(), kNoSubgraph)
    {
        if (telling == TensorTelling::byValue) {
            OperatorCatalog operators;
            m_kinds = boundaryKinds(graph, operators);
        }
    }

    Result<MoveNonTensorResult> run(const std::vector<NodeSubgraph>& subgraphs)
    {
        SUNDER_PROPAGATE(place(subgraphs));
        for (std::uint32_t at = 0; at < subgraphs.size(); ++at) {
            SUNDER_PROPAGATE(m_monitor.check());
            if (m_result.subgraphs[at].isAcc)
                empty(at);
        }
        for (std::uint32_t at = 0; at < subgraphs.size(); ++at)
            m_result.subgraphs[at].nodes = nodesOf(at);
        explain();
        return std::move(m_result);
    }

private:
    Result<void> place(const std::vector<NodeSubgraph>& subgraphs)
    {
        m_result.subgraphs = subgraphs;
        for (std::uint32_t at = 0; at < subgraphs.size(); ++at)
            for (std::uint32_t slot = 0; slot < subgraphs[at].nodes.size(); ++slot) {
                const NodeId id = subgraphs[at].nodes[slot];
                if (m_places[id] != kNoSubgraph)
                    return fail(ErrorCode::refused,
                                m_graph[id].name.str() + " is in both " + placeOf(m_places[id]) + " and " + placeOf(at)
                                    + "; each node must be in one",
                                {.node = m_graph[id].name.str()});
                m_places.set(id, at);
                m_slot[id.index()] = slot;
            }
        return {};
    }

    /// Returns the current nodes of a subgraph in order; lists keep gaps where nodes have left.
    [[nodiscard]] std::vector<NodeId> nodesOf(std::uint32_t at) const
    {
        std::vector<NodeId> nodes;
        const std::vector<NodeId>& list = m_result.subgraphs[at].nodes;
        for (std::uint32_t slot = 0; slot < list.size(); ++slot)
            if (m_places[list[slot]] == at && m_slot[list[slot].index()] == slot)
                nodes.push_back(list[slot]);
        return nodes;
    }

    void empty(std::uint32_t source)
    {
        std::vector<NodeId> nodes = nodesOf(source);
        if (m_telling == TensorTelling::byTypeOrTensor)
            std::ranges::sort(nodes, {}, [this](NodeId id) { return m_position[id.index()]; });
        findReach(nodes, source);
        std::vector<NodeId> queue;
        for (const NodeId id : nodes) {
            m_isProcessed[id.index()] = 0;
            if (!isTensor(id) && !m_places.foreignUsers(id).areNone())
                queue.push_back(id);
        }
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const NodeId id = queue[next];
            if (m_isProcessed[id.index()] != 0 || m_places[id] != source)
                continue;
            m_isProcessed[id.index()] = 1;
            if (!tryToMove(id, source))
                continue;
            for (const NodeId parent : m_graph.inputs(id))
                if (m_places[parent] == source && m_graph[parent].isCall() && !isTensor(parent))
                    queue.push_back(parent);
        }
    }

    /// Computes the foreign users of each node and of its descendants in its subgraph.
    void findReach(std::vector<NodeId> nodes, std::uint32_t source)
    {
        std::ranges::sort(nodes, std::ranges::greater(), [this](NodeId id) { return m_position[id.index()]; });
        for (const NodeId id : nodes) {
            ForeignUsers reach = m_places.foreignUsers(id);
            for (const NodeId user : m_graph.users(id))
                if (m_places[user] == source && m_graph[user].isCall())
                    for (const ForeignUsers::User& further : m_reach[user.index()].users)
                        reach.add(further);
            m_reach[id.index()] = reach;
        }
    }

    bool tryToMove(NodeId id, std::uint32_t source)
    {
        const ForeignUsers direct = m_places.foreignUsers(id);
        if (direct.areInSeveral() || m_reach[id.index()].areInSeveral()) {
            m_veto[id.index()] = static_cast<std::uint32_t>(m_vetoes.size());
            m_vetoes.push_back(direct.areInSeveral() ? severalSubgraphs(id, source, direct)
                                                     : thirdSubgraph(id, source, direct, m_reach[id.index()]));
            return false;
        }
        const std::uint32_t target = direct.users[0].subgraph;
        std::vector<NodeId> moving = withAllBelow(id, source, target);
        std::ranges::sort(moving, {}, [this](NodeId node) { return m_slot[node.index()]; });
        for (const NodeId node : moving) {
            m_slot[node.index()] = static_cast<std::uint32_t>(m_result.subgraphs[target].nodes.size());
            m_result.subgraphs[target].nodes.push_back(node);
            m_result.moved.push_back({node, source, target});
            m_veto[node.index()] = kNoSubgraph;
        }
        for (const NodeId node : moving)
            reachFrom(node, {node, target}, source);
        return true;
    }

    /// Adds the new subgraph of a moved node to the reach of its ancestors.
    void reachFrom(NodeId left, ForeignUsers::User now, std::uint32_t source)
    {
        std::vector<NodeId> todo = {left};
        while (!todo.empty()) {
            const NodeId id = todo.back();
            todo.pop_back();
            for (const NodeId input : m_graph.inputs(id))
                if (m_places[input] == source && m_reach[input.index()].add(now))
                    todo.push_back(input);
        }
    }

    /// Moves the node and its descendants in its subgraph to `target`, and returns them.
    std::vector<NodeId> withAllBelow(NodeId id, std::uint32_t source, std::uint32_t target)
    {
        std::vector<NodeId> moving = {id};
        m_places.set(id, target);
        for (std::size_t next = 0; next < moving.size(); ++next)
            for (const NodeId user : m_graph.users(moving[next]))
                if (m_places[user] == source && m_graph[user].isCall()) {
                    m_places.set(user, target);
                    moving.push_back(user);
                }
        return moving;
    }

    // Reasons ---------------------------------------------------------------------------------

    void explain()
    {
        for (const NodeId id : m_graph.nodes()) {
            if (m_places[id] == kNoSubgraph || !m_graph[id].isCall() || isTensor(id))
                continue;
            const ForeignUsers foreign = m_places.foreignUsers(id);
            if (foreign.areNone())
                continue;
            if (m_veto[id.index()] != kNoSubgraph)
                m_result.staying.push_back(m_vetoes[m_veto[id.index()]]);
            else
                m_result.staying.push_back(unseen(id, foreign));
        }
    }

    [[nodiscard]] StayingNode unseen(NodeId id, const ForeignUsers& foreign) const
    {
        const std::uint32_t at = m_places[id];
        const std::string use = nameOf(id) + " is used by " + textOf(foreign.users[0]);
        if (!m_result.subgraphs[at].isAcc)
            return {id, at, StayReason::notAccelerator,
                    use + ", but " + placeOf(at) + " is not on an accelerator, and only nodes on accelerators are moved"};
        return {id, at, StayReason::notRevisited,
                use + " only since a later move; " + placeOf(at)
                    + " was already processed, and only direct inputs of a moved node are processed again"};
    }

    [[nodiscard]] StayingNode severalSubgraphs(NodeId id, std::uint32_t source, const ForeignUsers& direct) const
    {
        return {id, source, StayReason::severalSubgraphs,
                nameOf(id) + " is used by " + textOf(direct.users[0]) + " and by " + textOf(direct.users[1])
                    + "; it can move to only one of them"};
    }

    [[nodiscard]] StayingNode thirdSubgraph(NodeId id, std::uint32_t source, const ForeignUsers& direct,
                                            const ForeignUsers& reach) const
    {
        const ForeignUsers::User& third = reach.users[0].subgraph == direct.users[0].subgraph ? reach.users[1] : reach.users[0];
        return {id, source, StayReason::thirdSubgraph,
                nameOf(id) + " could move to " + textOf(direct.users[0])
                    + ", but nodes that depend on it and would move too are used by " + textOf(third)};
    }

    [[nodiscard]] bool isTensor(NodeId id) const
    {
        if (m_telling == TensorTelling::byTypeOrTensor)
            return makesTensor(m_graph[id]);
        if (m_telling == TensorTelling::byType || !m_graph[id].meta.outType.empty())
            return isTensorOutput(m_graph[id]);
        return countsAsTensor(m_kinds[id.index()]) || m_kinds[id.index()] == BoundaryKind::tuple;
    }
    [[nodiscard]] std::string nameOf(NodeId id) const { return m_graph[id].name.str(); }
    [[nodiscard]] std::string placeOf(std::uint32_t at) const { return m_result.nameOf(at); }
    [[nodiscard]] std::string textOf(const ForeignUsers::User& user) const
    {
        return nameOf(user.node) + " in " + placeOf(user.subgraph);
    }

    const Graph& m_graph;
    TensorTelling m_telling;
    std::vector<BoundaryKind> m_kinds; ///< only for TensorTelling::byValue
    ProgressMonitor& m_monitor;
    MoveNonTensorResult m_result;
    NodePlaces m_places;
    std::vector<std::uint32_t> m_slot; ///< per NodeId: position in the list of its subgraph
    std::vector<std::uint32_t> m_position;
    std::vector<ForeignUsers> m_reach; ///< per NodeId of the current subgraph
    std::vector<char> m_isProcessed;
    std::vector<StayingNode> m_vetoes;
    std::vector<std::uint32_t> m_veto; ///< per NodeId: index into m_vetoes, or kNoSubgraph
};

std::vector<NodeSubgraph> subgraphsOf(const Graph& graph, const TagAssignment& tags,
                                      const std::vector<InternedString>& accelerators)
{
    std::vector<NodeSubgraph> subgraphs;
    for (const InternedString tag : tags.order)
        subgraphs.push_back({.isAcc = accelerators.empty() || std::ranges::find(accelerators, tag) != accelerators.end(),
                             .nodes = {},
                             .name = tag.str()});
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            subgraphs[static_cast<std::size_t>(tags[id])].nodes.push_back(id);
    return subgraphs;
}

} // namespace

std::string_view name(StayReason reason)
{
    switch (reason) {
    case StayReason::notAccelerator: return "not-accelerator";
    case StayReason::severalSubgraphs: return "several-subgraphs";
    case StayReason::thirdSubgraph: return "third-subgraph";
    case StayReason::notRevisited: break;
    }
    return "not-revisited";
}

bool isTensorOutput(const Node& node)
{
    static const std::array kTensorTypes = {
        intern("torch.Tensor"), intern("torch.nn.parameter.Parameter"), intern("torch.nn.parameter.Buffer"),
        intern("torch.nn.parameter.UninitializedParameter"), intern("torch._subclasses.fake_tensor.FakeTensor")};
    return std::ranges::find(kTensorTypes, node.meta.outType) != kTensorTypes.end();
}

bool makesTensor(const Node& node)
{
    static const std::array kTypes = {intern("torch.Tensor"), intern("torch.nn.parameter.Parameter")};
    if (node.meta.outType.empty())
        return tensorOf(node.meta.val) != nullptr;
    return std::ranges::find(kTypes, node.meta.outType) != kTypes.end();
}

bool lacksOutputTypes(const Graph& graph)
{
    return std::ranges::none_of(graph.order(), [&](NodeId id) { return !graph[id].meta.outType.empty(); });
}

Result<MoveNonTensorResult> moveNonTensorNodes(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs,
                                               ProgressMonitor& monitor, TensorTelling telling)
{
    return Mover(graph, telling, monitor).run(subgraphs);
}

Result<MoveByTagsResult> moveNonTensorByTags(const Graph& graph, const TagAssignment& tags, const MoveByTagsOptions& options,
                                             ProgressMonitor& monitor)
{
    for (const InternedString name : options.accelerators)
        if (std::ranges::find(tags.order, name) == tags.order.end())
            return fail(ErrorCode::refused, name.str() + " is listed as an accelerator part, but there is no such tag",
                        {.other = name.str()});
    SUNDER_TRY(MoveNonTensorResult moves,
               moveNonTensorNodes(graph, subgraphsOf(graph, tags, options.accelerators), monitor, options.telling));
    MoveByTagsResult result{.tags = tags, .moves = std::move(moves)};
    for (const MovedNonTensor& move : result.moves.moved)
        result.tags.tagOf[move.node.index()] = static_cast<std::int32_t>(move.to);
    return result;
}

} // namespace sunder
