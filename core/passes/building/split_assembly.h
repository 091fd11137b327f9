#pragma once

#include "passes/building/module_carrier.h"
#include "passes/building/subgraph_builder.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sunder {

/// Puts the result of a split together: the graphs of the parts, the main graph that calls them, tensors, and signature. Graph
/// ids: the main graph, then the parts, then graphs in arguments, which are copied on first use.
class SplitAssembly {
public:
    /// `last`: per part, the last part with its name. Only that one becomes a module, as in PyTorch; the main graph calls it in
    /// place of the others. If empty, all names differ.
    SplitAssembly(const Program& source, SubgraphBuilder::Policy policy, std::vector<InternedString> partNames,
                  std::span<const std::uint32_t> last = {});
    SplitAssembly(const SplitAssembly&) = delete;
    SplitAssembly& operator=(const SplitAssembly&) = delete;

    /// Builds the current part in buildParts().
    [[nodiscard]] SubgraphBuilder& part() { return m_part; }
    /// Builds the main graph.
    [[nodiscard]] SubgraphBuilder& main() { return m_main; }
    [[nodiscard]] Program& program() { return m_result.program; }
    [[nodiscard]] ModuleCarrier& carrier() { return m_carrier; }
    [[nodiscard]] std::vector<std::pair<InternedString, InternedString>>& fqnMap() { return m_result.fqnMap; }
    [[nodiscard]] std::span<const InternedString> partNames() const { return m_result.partNames; }
    [[nodiscard]] GraphId graphOf(std::size_t part) const { return m_result.parts[part]; }

    /// Calls `build` for the part of each module. Fails with ErrorCode::cancelled.
    Result<void> buildParts(const std::function<Result<void>(std::size_t part, StepMonitor& steps)>& build,
                            ProgressMonitor& monitor);
    /// Adds tensors, modules, graphs, and signature. `addModules`: adds the modules of the parts and of the main graph. Fails
    /// with ErrorCode::cancelled.
    Result<SplitResult> finish(const std::function<void()>& addModules, ProgressMonitor& monitor);

private:
    [[nodiscard]] std::size_t lastOf(std::size_t part) const { return m_last.empty() ? part : m_last[part]; }

    const Program& m_source;
    std::span<const std::uint32_t> m_last;
    SplitResult m_result;
    ModuleCarrier m_carrier;
    SubgraphBuilder m_part;
    SubgraphBuilder m_main;
    Graph m_mainGraph;
    std::vector<Graph> m_partGraphs;
};

} // namespace sunder
