#pragma once

#include "ir/argument.h"
#include "ir/identity_map.h"
#include "ir/program.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sunder {

/// Cuts subgraphs out of the root graph of a program: copies ops, and represents values from outside by nodes of the subgraph.
/// Also builds the graph that calls the subgraphs. One builder cuts any number of subgraphs, one after the other; its table of
/// the source serves them all, so that the cost is linear in the source and the subgraphs together.
class SubgraphBuilder {
public:
    /// Names of the nodes of a subgraph.
    enum class Naming : std::uint8_t {
        fromTarget, ///< derived from their targets, as by PyTorch's create_node
        unique,     ///< ops: the source's name, made unique, as by PyTorch's node_copy; other nodes: from their targets
        exact,      ///< the names in the source
    };
    struct Policy {
        Naming naming = Naming::unique;
        bool returnsTuple = true; ///< a subgraph with one result returns a tuple with one item
    };
    /// Maps a graph id of the source to the result; for arguments that hold graphs.
    using GraphIdMap = std::function<GraphId(GraphId)>;

    /// `source` must outlive the builder. O(nodes of its root graph).
    SubgraphBuilder(const Program& source, Policy policy, GraphIdMap graphOf);

    /// Starts the next subgraph: the following calls add nodes to `graph`, and pairs of nodes to `map` under `id`.
    void begin(Graph& graph, GraphId id, IdentityMap& map);

    [[nodiscard]] Graph& graph() { return *m_graph; }
    /// Returns the node of the subgraph that holds a value of the source; invalid if there is none.
    [[nodiscard]] NodeId find(NodeId value) const { return m_nodeOf[value.index()]; }
    /// find() for each NodeId of the source.
    [[nodiscard]] std::span<const NodeId> nodes() const { return m_nodeOf; }

    /// Relation of a node of the subgraph to the node of the source: a copy of it, or a carrier of its value.
    enum class Role : std::uint8_t { copy, carrier };

    /// Adds a node that holds a value of the source; a later one replaces an earlier one.
    NodeId add(NodeId value, NodeSpec spec, Role role = Role::copy);
    /// Adds a placeholder with this target for a value of the source.
    NodeId addInput(NodeId value, InternedString target);
    /// Adds a copy of a get_attr node.
    NodeId addAttribute(NodeId attribute);
    /// Adds a copy of an op in which `resolve(NodeId) -> Argument` replaces nodes in the arguments, args before kwargs.
    template <typename Resolve>
    NodeId addOp(NodeId op, const Resolve& resolve)
    {
        return add(op, copyOf(op, resolve));
    }
    /// Returns the copy that addOp() adds.
    template <typename Resolve>
    [[nodiscard]] NodeSpec copyOf(NodeId op, const Resolve& resolve) const;
    /// Replaces nodes and graphs in a value of the source.
    template <typename Resolve>
    [[nodiscard]] Argument translate(const Argument& value, const Resolve& resolve) const;

    /// Adds an output that returns these values of the source.
    void addOutput(std::span<const NodeId> values);
    /// Adds a call of a subgraph that takes and returns these values of the source. Several results are items of its tuple.
    void addCall(InternedString target, std::span<const NodeId> inputs, std::span<const NodeId> results);

private:
    [[nodiscard]] bool returnsBare(std::span<const NodeId> results) const
    {
        return results.size() == 1 && !m_policy.returnsTuple;
    }
    [[nodiscard]] NodeSpec copyWithoutArguments(NodeId id) const;
    [[nodiscard]] Argument mappedGraphs(const Argument& value) const;
    [[nodiscard]] std::optional<Argument> valueOf(std::span<const NodeId> results) const;
    void hold(NodeId value, NodeId node, Role role);

    const Program& m_source;
    const Graph& m_from;
    Policy m_policy;
    GraphIdMap m_graphOf;
    bool m_argumentsHoldGraphs;
    Graph* m_graph = nullptr;
    GraphId m_id;
    IdentityMap* m_map = nullptr;
    std::vector<NodeId> m_nodeOf; ///< per NodeId of the source
    std::vector<NodeId> m_held;   ///< values of the source with a node in the subgraph
};

template <typename Resolve>
Argument SubgraphBuilder::translate(const Argument& value, const Resolve& resolve) const
{
    Argument mapped = mapNodes(value, resolve);
    return m_argumentsHoldGraphs ? mappedGraphs(mapped) : mapped;
}

template <typename Resolve>
NodeSpec SubgraphBuilder::copyOf(NodeId op, const Resolve& resolve) const
{
    NodeSpec spec = copyWithoutArguments(op);
    const Node& from = m_from[op];
    spec.args.reserve(from.args.size());
    for (const Argument& argument : from.args)
        spec.args.push_back(translate(argument, resolve));
    spec.kwargs.reserve(from.kwargs.size());
    for (const Keyword& keyword : from.kwargs)
        spec.kwargs.push_back({keyword.key, translate(keyword.value, resolve)});
    return spec;
}

} // namespace sunder
