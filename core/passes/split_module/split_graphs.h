#pragma once

#include "ir/identity_map.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"
#include "support/step_monitor.h"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// Builds the graphs of partitions: replayed state setters, placeholders, module attributes, calls, autocast exits, output. Names
/// and order equal those of torch's split_module. Linear in the source over all partitions together, plus the state regions that
/// extend into each.
class SplitModuleGraphs {
public:
    /// A module that a part calls or reads: (name in the part, target in the source).
    using Target = std::pair<InternedString, InternedString>;
    /// Maps a graph id of the source to the result; for arguments that hold graphs.
    using GraphIdMap = std::function<GraphId(GraphId)>;

    SplitModuleGraphs(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options, GraphIdMap graphId);

    /// Fills the graph of a partition, and maps its nodes in `map` under `id`. Refuses a call whose inputs are not computed
    /// before it. `steps` counts its nodes.
    Result<void> build(std::uint32_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps);

    /// Values that the root graph passes to a partition; valid after it is built.
    [[nodiscard]] const std::vector<NodeId>& inputs(std::uint32_t part) const { return m_inputs[part]; }
    /// Targets that a partition calls or reads, in node order; for duplicate names the last entry applies.
    [[nodiscard]] const std::vector<Target>& targets(std::uint32_t part) const { return m_targets[part]; }
    /// The targets that are called.
    [[nodiscard]] std::span<const Target> calledModules(std::uint32_t part) const
    {
        return std::span(m_targets[part]).subspan(m_attributeCounts[part]);
    }

private:
    struct Place; ///< the part being built

    void replayStates(const Place& at);
    void addInputs(const Place& at);
    Result<void> addCall(const Place& at, NodeId call);
    void leaveStates(const Place& at);
    void addOutput(const Place& at);
    void hold(const Place& at, NodeId value, NodeId local, bool created);
    [[nodiscard]] bool isModule(const Node& attribute) const;
    Argument translate(const Place& at, const Argument& argument, NodeId& missing) const;

    const Program& m_source;
    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const SplitModuleOptions& m_options;
    GraphIdMap m_graphId;
    bool m_argumentsHoldGraphs;
    std::vector<NodeId> m_local; ///< per NodeId: its counterpart in the part of m_localPart
    std::vector<std::uint32_t> m_localPart;
    std::vector<std::vector<NodeId>> m_replays; ///< per partition: setters in effect from earlier partitions
    std::vector<std::vector<const StateRegion*>> m_exits; ///< per partition: autocast regions that end later, outermost first
    std::vector<std::vector<NodeId>> m_inputs;
    std::vector<std::vector<Target>> m_targets;
    std::vector<std::size_t> m_attributeCounts; ///< per partition: number of leading targets that are attributes
};

/// Builds the root graph of a split by partition: the inputs and attributes of the source, one call per partition with getitems
/// for its outputs, and the output. Linear.
class BaseGraph {
public:
    BaseGraph(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
              const SplitModuleGraphs& parts, std::span<const InternedString> partNames, SplitModuleGraphs::GraphIdMap graphId);

    /// Fills `graph`, whose id is `id`. `order`: partitions in call order; `partNames`: names of the called modules, in the same
    /// order. With keepOriginalOrder, refuses a call before its inputs are computed, an output that reads an attribute which no
    /// partition reads, and an attribute with the name of a partition that is called before it is read.
    Result<void> build(std::span<const std::uint32_t> order, Graph& graph, GraphId id, IdentityMap& map);

    /// Per NodeId of the source: the node that holds its value; invalid if there is none.
    [[nodiscard]] const std::vector<NodeId>& nodes() const { return m_nodes; }

    static constexpr std::uint32_t kAttribute = SplitModulePlan::kNone;
    /// Objects registered under the graph's targets, in registration order; later entries replace earlier ones. Each is (name,
    /// index of the call in `order`), or (name, kAttribute) for the attribute of that name in the source.
    [[nodiscard]] const std::vector<std::pair<InternedString, std::uint32_t>>& registered() const { return m_registered; }

private:
    void carry(NodeId source, Graph& graph, GraphId id, IdentityMap& map);
    [[nodiscard]] Result<void> checkNames(std::span<const std::uint32_t> order) const;
    Result<void> call(std::uint32_t part, std::uint32_t place, Graph& graph, GraphId id, IdentityMap& map);
    Result<void> addOutput(NodeId source, Graph& graph, GraphId id, IdentityMap& map);
    [[nodiscard]] std::optional<Argument> valueOf(std::uint32_t part) const;

    const Program& m_source;
    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const SplitModuleOptions& m_options;
    const SplitModuleGraphs& m_parts;
    std::span<const InternedString> m_partNames;
    SplitModuleGraphs::GraphIdMap m_graphId;
    std::vector<NodeId> m_nodes;
    std::vector<std::pair<InternedString, std::uint32_t>> m_registered;
};

} // namespace sunder
