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

} // namespace sunder
