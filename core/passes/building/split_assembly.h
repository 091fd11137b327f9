#pragma once

#include "passes/building/module_carrier.h"
#include "passes/building/subgraph_builder.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "support/step_monitor.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sunder {

/// Puts the result of a split together: the main graph, the graphs of the parts, tensors, and signature. Graph ids: the main
/// graph, then the parts, then carried graphs.
class SplitAssembly {
public:
    /// `last`: per part, the last part with its name. Only that one becomes a module, as in torch; the main graph calls it in
    /// place of the others. If empty, all names differ.
    SplitAssembly(const Program& source, std::vector<InternedString> partNames, std::span<const std::uint32_t> last = {});
    SplitAssembly(const SplitAssembly&) = delete;
    SplitAssembly& operator=(const SplitAssembly&) = delete;

    /// Copies graphs in arguments on first use.
    [[nodiscard]] SubgraphBuilder::GraphIdMap graphIdMap()
    {
        return [this](GraphId id) { return m_carrier.carryGraph(id); };
    }
    [[nodiscard]] Program& program() { return m_result.program; }
    [[nodiscard]] ModuleCarrier& carrier() { return m_carrier; }
    [[nodiscard]] IdentityMap& map() { return m_result.map; }
    [[nodiscard]] std::vector<std::pair<InternedString, InternedString>>& fqnMap() { return m_result.fqnMap; }
    [[nodiscard]] std::span<const InternedString> partNames() const { return m_result.partNames; }
    [[nodiscard]] GraphId graphOf(std::size_t part) const { return m_result.parts[part]; }
    [[nodiscard]] Graph& main() { return m_main; }

    using BuildPart =
        std::function<Result<void>(std::size_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps)>;
    /// Builds the part of each module. Fails with ErrorCode::cancelled.
    Result<void> buildParts(const BuildPart& build, ProgressMonitor& monitor);
    /// Adds tensors, modules, graphs, and signature. `mainNodes`: per NodeId of the source, the node of main() that holds its
    /// value. `addModules`: adds the modules of the parts and of main(). Fails with ErrorCode::cancelled.
    Result<SplitResult> finish(std::span<const NodeId> mainNodes, const std::function<void()>& addModules,
                               ProgressMonitor& monitor);

private:
    [[nodiscard]] std::size_t lastOf(std::size_t part) const { return m_last.empty() ? part : m_last[part]; }

    const Program& m_source;
    std::span<const std::uint32_t> m_last;
    SplitResult m_result;
    ModuleCarrier m_carrier;
    Graph m_main;
    std::vector<Graph> m_parts;
};

} // namespace sunder
