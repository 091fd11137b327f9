#include "passes/split_module/split_module.h"

#include "passes/building/missing_targets.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_origin.h"
#include "passes/building/split_signature.h"
#include "passes/split_module/base_graph.h"
#include "passes/split_module/part_graphs.h"
#include "passes/split_module/partition_order.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/registered_modules.h"

#include <numeric>
#include <span>
#include <unordered_map>

// torch.fx's split_module. Unlike tags, partitions need no given order: one pass over the graph finds the values that cross
// between them, and the call order follows from these. Each partition is then built in one go, so that per-node tables of the
// source serve all partitions and the cost is linear. Regions of autocast and grad mode that span several partitions are closed
// and reopened in each. torch follows data edges only: in-place writes may be reordered, and of two modules whose names differ
// only in "." and "_" only the later one is called. Results equal torch's; verification detects those that are not equivalent.

namespace sunder {
namespace {

class ModuleSplitter {
public:
    ModuleSplitter(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options)
        : m_source(source), m_plan(plan), m_carrier(source, m_result.program, m_result.map),
          m_graphIdOf([this](GraphId id) { return m_carrier.carryGraph(id); }), m_partGraphs(source, plan, options, m_graphIdOf),
          m_options(options)
    {
    }

    Result<SplitResult> run(std::span<const std::uint32_t> order, ProgressMonitor& monitor)
    {
        begin(order);
        StepMonitor steps(monitor);
        std::vector<Graph> parts(order.size());
        for (std::size_t place = 0; place < order.size(); ++place) {
            if (monitor.isCancelled())
                return fail(ErrorCode::cancelled, "cancelled while splitting");
            monitor.report(static_cast<double>(place) / static_cast<double>(order.size()), m_result.partNames[place].view());
            if (const Result<void> built = m_partGraphs.build(order[place], parts[place], m_result.parts[place], m_result.map,
                                                              steps);
                !built)
                return forward(built);
        }
        Graph base;
        BaseGraph builder(m_source, m_plan, m_options, m_partGraphs, m_result.partNames, m_graphIdOf);
        SUNDER_PROPAGATE(builder.build(order, base, m_result.program.root, m_result.map));
        if (monitor.isCancelled())
            return fail(ErrorCode::cancelled, "cancelled while splitting");
        place(builder, order, std::move(base), std::move(parts));
        noteNames(order);
        m_result.map.finish();
        m_result.numbersInputs = m_options.dropOriginalInputNames;
        return std::move(m_result);
    }

private:
    /// Reserves the first graph ids for the root graph and the parts; carried graphs follow.
    void begin(std::span<const std::uint32_t> order)
    {
        Program& program = m_result.program;
        program.origin = resultOrigin(m_source);
        program.operators = m_source.operators;
        program.fileHints = m_source.fileHints;
        program.stacks = m_source.stacks;
        program.ranges = m_source.ranges;
        program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
        program.graphs.reserve(order.size() + 1);
        program.root = program.addGraph(ModuleTree::root());
        const std::string prefix = m_options.partitionAffix ? "submod_" + *m_options.partitionAffix + "_" : "submod_";
        for (const std::uint32_t part : order) {
            m_result.parts.push_back(program.addGraph({}));
            m_result.partNames.push_back(intern(prefix + m_plan.ids[part].text.str()));
        }
        m_result.map.reserve(m_source.rootGraph().size() * 2);
    }

    void place(const BaseGraph& builder, std::span<const std::uint32_t> order, Graph base, std::vector<Graph> parts)
    {
        Program& program = m_result.program;
        if (m_source.signature)
            m_carrier.carryAllTensors();
        std::vector<RegisteredModules::Entry> entries;
        entries.reserve(builder.registered().size());
        for (const auto& [name, at] : builder.registered()) {
            if (at == BaseGraph::kAttribute)
                entries.push_back({.name = name, .attribute = name});
            else
                entries.push_back({.name = name, .part = m_result.parts[at], .inside = m_partGraphs.targets(order[at])});
        }
        RegisteredModules modules;
        modules.add(entries);
        modules.emit(program, m_carrier);
        m_carrier.finish();
        for (std::size_t i = 0; i < parts.size(); ++i)
            program.graph(m_result.parts[i]) = std::move(parts[i]);
        program.graph(program.root) = std::move(base);
        carrySignature(m_source, builder.nodes(), program);
    }

    void noteNames(std::span<const std::uint32_t> order)
    {
        std::unordered_map<InternedString, std::size_t> placeOf;
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const auto& [name, source] : m_partGraphs.calledModules(order[i])) {
                const InternedString path = intern(joinPath(m_result.partNames[i].view(), name.view()));
                const auto [at, isNew] = placeOf.emplace(path, m_result.fqnMap.size());
                if (isNew)
                    m_result.fqnMap.emplace_back(source, path);
                else
                    m_result.fqnMap[at->second].first = source;
            }
        }
    }

    const Program& m_source;
    const SplitModulePlan& m_plan;
    SplitResult m_result;
    ModuleCarrier m_carrier;
    SplitModuleGraphs::GraphIdMap m_graphIdOf;
    SplitModuleGraphs m_partGraphs;
    const SplitModuleOptions& m_options;
};

} // namespace

Result<SplitResult> splitModule(const Program& source, const PartitionAssignment& partitions, const SplitModuleOptions& options,
                                ProgressMonitor& monitor)
{
    SUNDER_TRY(const SplitModulePlan plan, planPartitions(source.rootGraph(), partitions, monitor));
    SUNDER_PROPAGATE(checkTargets(source, plan.targeting));
    SUNDER_TRY(std::vector<std::uint32_t> order, orderPartitions(source.rootGraph(), plan));
    if (options.keepOriginalOrder)
        std::iota(order.begin(), order.end(), 0U);
    return ModuleSplitter(source, plan, options).run(order, monitor);
}

} // namespace sunder
