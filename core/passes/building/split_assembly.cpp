#include "passes/building/split_assembly.h"

#include "ir/module_tree.h"
#include "passes/building/result_program.h"

#include <utility>

namespace sunder {

SplitAssembly::SplitAssembly(const Program& source, SubgraphBuilder::Policy policy, std::vector<InternedString> partNames,
                             std::span<const std::uint32_t> last)
    : m_source(source), m_last(last),
      m_result{.program = emptyResult(source), .map = {}, .parts = {}, .partNames = std::move(partNames), .fqnMap = {}},
      m_carrier(source, m_result.program, m_result.map),
      m_part(source, policy, [this](GraphId id) { return m_carrier.carryGraph(id); }),
      m_main(source, policy, [this](GraphId id) { return m_carrier.carryGraph(id); }), m_partGraphs(m_result.partNames.size())
{
    Program& program = m_result.program;
    program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
    program.graphs.reserve(m_partGraphs.size() + 1);
    program.addGraph(ModuleTree::root());
    m_result.parts.resize(m_partGraphs.size());
    for (std::size_t part = 0; part < m_partGraphs.size(); ++part)
        if (lastOf(part) == part)
            m_result.parts[part] = program.addGraph({});
    for (std::size_t part = 0; part < m_partGraphs.size(); ++part)
        m_result.parts[part] = m_result.parts[lastOf(part)];
    m_result.map.reserve(source.rootGraph().size() * 2);
    m_main.begin(m_mainGraph, program.root, m_result.map);
}

Result<void> SplitAssembly::buildParts(const std::function<Result<void>(std::size_t part, StepMonitor& steps)>& build,
                                       ProgressMonitor& monitor)
{
    StepMonitor steps(monitor);
    for (std::size_t part = 0; part < m_partGraphs.size(); ++part) {
        SUNDER_PROPAGATE(monitor.check());
        monitor.report(static_cast<double>(part) / static_cast<double>(m_partGraphs.size()), m_result.partNames[part].view());
        if (lastOf(part) != part)
            continue;
        m_part.begin(m_partGraphs[part], graphOf(part), m_result.map);
        SUNDER_PROPAGATE(build(part, steps));
    }
    return monitor.check();
}

Result<SplitResult> SplitAssembly::finish(const std::function<void()>& addModules, ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(monitor.check());
    if (m_source.signature)
        m_carrier.carryAllTensors();
    addModules();
    m_carrier.finish();
    Program& program = m_result.program;
    for (std::size_t part = 0; part < m_partGraphs.size(); ++part)
        if (lastOf(part) == part)
            program.graph(graphOf(part)) = std::move(m_partGraphs[part]);
    program.rootGraph() = std::move(m_mainGraph);
    carrySignature(m_source, m_main.nodes(), program);
    SUNDER_PROPAGATE(monitor.check());
    m_result.map.finish();
    return std::move(m_result);
}

} // namespace sunder
