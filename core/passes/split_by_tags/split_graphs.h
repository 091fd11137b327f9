#pragma once

#include "ir/identity_map.h"
#include "passes/split_by_tags/split_plan.h"
#include "support/step_monitor.h"

#include <functional>
#include <utility>
#include <vector>

namespace sunder {

/// Builds the graphs of a split: one a part, then the one that calls them. Names, placeholders, metas and order are
/// those of torch's split_by_tags. Linear in the source over all parts together.
class SplitGraphs {
public:
    /// Gives the id that a graph of the source has in the result; for arguments that hold graphs.
    using GraphIdMap = std::function<GraphId(GraphId)>;

    struct Options {
        bool returnTuple = false;
        bool keepSignature = false;
        bool argumentsHoldGraphs = false; ///< false lets arguments without nodes be shared unseen
    };

    SplitGraphs(const Program& source, const TagAssignment& tags, const SplitPlan& plan, Options options, GraphIdMap graphId);

    /// Fills the graph of a part. Notes in `map` what became of each node, under `id`. `steps` counts calls; unfinished once
    /// they do not go on.
    void buildPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps);
    /// Fills the main graph, after all parts.
    void buildMain(Graph& graph, GraphId id, IdentityMap& map);

    /// (name in the main graph, target in the source) of attributes that the output reads directly.
    [[nodiscard]] const std::vector<std::pair<InternedString, InternedString>>& outputAttributes() const
    {
        return m_outputAttributes;
    }
    /// Targets of the calls of modules and reads of attributes in a part, in the order of their nodes.
    [[nodiscard]] const std::vector<InternedString>& targets(std::size_t part) const { return m_targets[part]; }
    /// Per NodeId of the source: the node that holds its value in the main graph; invalid when none does.
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
    std::vector<NodeId> m_copy;      ///< per NodeId of a call: its copy in its part
    std::vector<NodeId> m_local;     ///< per NodeId: placeholder or attribute in the part of m_localPart
    std::vector<std::uint32_t> m_localPart;
    std::vector<NodeId> m_main;
    std::vector<std::vector<InternedString>> m_targets; ///< per part
    std::vector<std::vector<NodeId>> m_inputs;  ///< per part: values of the source that are its placeholders
    std::vector<std::vector<NodeId>> m_outputs; ///< per part: values of the source that it returns
    std::vector<std::pair<InternedString, InternedString>> m_outputAttributes;
};

} // namespace sunder
