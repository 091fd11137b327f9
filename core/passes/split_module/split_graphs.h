#pragma once

#include "passes/building/subgraph_builder.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"
#include "support/step_monitor.h"

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

    SplitModuleGraphs(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
                      SubgraphBuilder::GraphIdMap graphId);

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
    void replayStates(std::uint32_t part);
    void addInputs(std::uint32_t part);
    Result<void> addCall(std::uint32_t part, NodeId call);
    void leaveStates(std::uint32_t part);
    [[nodiscard]] bool isModule(const Node& attribute) const;

    const Program& m_source;
    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const SplitModuleOptions& m_options;
    SubgraphBuilder m_part;
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
              const SplitModuleGraphs& parts, std::span<const InternedString> partNames, SubgraphBuilder::GraphIdMap graphId);

    /// Fills `graph`, whose id is `id`. `order`: partitions in call order; `partNames`: names of the called modules, in the same
    /// order. With keepOriginalOrder, refuses a call before its inputs are computed, an output that reads an attribute which no
    /// partition reads, and an attribute with the name of a partition that is called before it is read.
    Result<void> build(std::span<const std::uint32_t> order, Graph& graph, GraphId id, IdentityMap& map);

    /// Per NodeId of the source: the node that holds its value; invalid if there is none.
    [[nodiscard]] std::span<const NodeId> nodes() const { return m_base.nodes(); }

    static constexpr std::uint32_t kAttribute = SplitModulePlan::kNone;
    /// Objects registered under the graph's targets, in registration order; later entries replace earlier ones. Each is (name,
    /// index of the call in `order`), or (name, kAttribute) for the attribute of that name in the source.
    [[nodiscard]] const std::vector<std::pair<InternedString, std::uint32_t>>& registered() const { return m_registered; }

private:
    void carry(NodeId source);
    [[nodiscard]] Result<void> checkNames(std::span<const std::uint32_t> order) const;
    Result<void> call(std::uint32_t part, std::uint32_t place);
    Result<void> addOutput(NodeId source);

    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const SplitModuleOptions& m_options;
    const SplitModuleGraphs& m_parts;
    std::span<const InternedString> m_partNames;
    SubgraphBuilder m_base;
    std::vector<std::pair<InternedString, std::uint32_t>> m_registered;
};

} // namespace sunder
