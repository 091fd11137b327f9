#pragma once

#include "passes/split_module/part_graphs.h"

#include <span>

namespace sunder {

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
