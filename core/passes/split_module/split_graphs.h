#pragma once

#include "passes/building/split_assembly.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"
#include "support/progress_monitor.h"

#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// Builds the graphs of a split by partition. Partitions: replayed state setters, placeholders, module attributes, calls, autocast
/// exits, output. Root graph: the inputs and attributes of the source, one call per partition with getitems for its outputs, and
/// the output. Names and order equal those of PyTorch's split_module. Linear in the source over all partitions together, plus the
/// state regions that extend into each.
class SplitModuleGraphs {
public:
    /// A module that a part calls or reads: (name in the part, target in the source).
    using Target = std::pair<InternedString, InternedString>;

    SplitModuleGraphs(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
                      SplitAssembly& split);

    /// Builds a partition as the current part of the assembly. Refuses a call whose inputs are not computed before it. `steps`
    /// counts its nodes.
    Result<void> buildPart(std::uint32_t part, StepMonitor& steps);
    /// Builds the root graph; call after all parts. `order`: partitions in call order. With keepOriginalOrder, refuses a call
    /// before its inputs are computed, an output that reads an attribute which no partition reads, and an attribute with the name
    /// of a partition that is called before it is read.
    Result<void> buildBase(std::span<const std::uint32_t> order);

    /// Targets that a partition calls or reads, in node order; for duplicate names the last entry applies.
    [[nodiscard]] const std::vector<Target>& targets(std::uint32_t part) const { return m_targets[part]; }
    /// The targets that are called.
    [[nodiscard]] std::span<const Target> calledModules(std::uint32_t part) const
    {
        return std::span(m_targets[part]).subspan(m_attributeCounts[part]);
    }
    static constexpr std::uint32_t kAttribute = SplitModulePlan::kNone;
    /// Objects registered under the root graph's targets, in registration order; later entries replace earlier ones. Each is
    /// (name, index of the call in `order`), or (name, kAttribute) for the attribute of that name in the source.
    [[nodiscard]] const std::vector<std::pair<InternedString, std::uint32_t>>& registered() const { return m_registered; }

private:
    void replayStates(std::uint32_t part);
    void addInputs(std::uint32_t part);
    Result<void> addCall(std::uint32_t part, NodeId call);
    void leaveStates(std::uint32_t part);
    [[nodiscard]] bool isModule(const Node& attribute) const;
    void carry(NodeId source);
    [[nodiscard]] Result<void> checkNames(std::span<const std::uint32_t> order) const;
    Result<void> callPart(std::uint32_t part, std::uint32_t place);
    Result<void> addResult(NodeId source);

    const Program& m_source;
    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const SplitModuleOptions& m_options;
    SplitAssembly& m_split;
    SubgraphBuilder& m_part;
    SubgraphBuilder& m_base;
    std::vector<std::vector<NodeId>> m_replays; ///< per partition: setters in effect from earlier partitions
    std::vector<std::vector<const StateRegion*>> m_exits; ///< per partition: autocast regions that end later, outermost first
    std::vector<std::vector<NodeId>> m_inputs; ///< per partition: values that the root graph passes to it
    std::vector<std::vector<Target>> m_targets;
    std::vector<std::size_t> m_attributeCounts; ///< per partition: number of leading targets that are attributes
    std::vector<std::pair<InternedString, std::uint32_t>> m_registered;
};

} // namespace sunder
