#pragma once

#include "ir/identity_map.h"
#include "passes/split_by_tags/split_plan.h"
#include "support/step_monitor.h"

#include <functional>
#include <utility>
#include <vector>

namespace sunder {

/// Builds the graphs of a split: the parts, then the main graph that calls them. Names, placeholders, metadata and order equal
/// those of torch's split_by_tags. Linear in the source over all parts together.
class SplitGraphs {
public:
    /// Maps a graph id of the source to the result; for arguments that hold graphs.
    using GraphIdMap = std::function<GraphId(GraphId)>;

    struct Options {
        bool returnTuple = false;
        bool keepSignature = false;
        bool argumentsHoldGraphs = false; ///< false: arguments without nodes are shared without inspection
    };

    SplitGraphs(const Program& source, const TagAssignment& tags, const SplitPlan& plan, Options options, GraphIdMap graphId);

    /// Fills the graph of a part, and maps its nodes in `map` under `id`. `steps` counts calls; the graph is incomplete if they
    /// are stopped.
    void buildPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps);
    /// Fills the main graph. Call after all parts are built.
    void buildMain(Graph& graph, GraphId id, IdentityMap& map);

    /// Attributes that the output reads directly: (name in the main graph, target in the source).
    [[nodiscard]] const std::vector<std::pair<InternedString, InternedString>>& outputAttributes() const
    {
        return m_outputAttributes;
    }
    /// Targets of call_module and get_attr nodes in a part, in node order.
    [[nodiscard]] const std::vector<InternedString>& targets(std::size_t part) const { return m_targets[part]; }
    /// Per NodeId of the source: the main-graph node that holds its value; invalid if there is none.
    [[nodiscard]] const std::vector<NodeId>& mainNodes() const { return m_main; }

private:
    template <typename NodeOf>
    Argument translate(const Argument& argument, const NodeOf& nodeOf) const;
    NodeId inPart(NodeId value, std::size_t part, Graph& graph, GraphId id, IdentityMap& map);
    void callPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map);
    [[nodiscard]] std::optional<Argument> valueOfPart(std::size_t part) const;
    [[nodiscard]] NodeRef sourceRef(NodeId id) const { return {m_source.root, id}; }

    const Program& m_source;
    const Graph& m_graph;
    const TagAssignment& m_tags;
    const SplitPlan& m_plan;
    Options m_options;
    GraphIdMap m_graphId;
    std::vector<NodeId> m_copy; ///< per NodeId of a call: its copy in its part
    std::vector<NodeId> m_local; ///< per NodeId: placeholder or attribute in the part of m_localPart
    std::vector<std::uint32_t> m_localPart;
    std::vector<NodeId> m_main;
    std::vector<std::vector<InternedString>> m_targets; ///< per part
    std::vector<std::vector<NodeId>> m_inputs; ///< per part: values of the source that are its placeholders
    std::vector<std::vector<NodeId>> m_outputs; ///< per part: values of the source that it returns
    std::vector<std::pair<InternedString, InternedString>> m_outputAttributes;
};

} // namespace sunder
