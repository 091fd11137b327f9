#include "passes/split_by_tags/split_by_tags.h"

#include "analysis/part_names.h"
#include "ir/graph_values.h"
#include "ir/interned_path.h"
#include "passes/building/missing_targets.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_origin.h"
#include "passes/building/split_signature.h"
#include "passes/split_by_tags/split_graphs.h"
#include "passes/split_by_tags/split_plan.h"
#include "support/flat_map.h"

#include <unordered_map>
#include <unordered_set>

// torch.fx's split_by_tags. One pass over the graph checks the tags and finds the values that cross between parts. Each part is
// then built in one go, so that per-node tables of the source serve all parts and the cost is linear. Names depend on order, so
// parts, inputs and outputs are created in torch's order. torch follows data edges only: in-place writes and changes of global
// state may be reordered. Verification detects such splits.

namespace sunder {
namespace {

/// Refuses the first tag that cannot name a submodule of the result.
Result<void> checkNames(const std::vector<InternedString>& order)
{
    for (const InternedString tag : order)
        if (const std::optional<std::string> why = whyNoModuleName(tag.view()); why)
            return fail(ErrorCode::refused, "the tag \"" + tag.str() + "\" cannot name a part: " + *why, {.other = tag.str()});
    return {};
}

class Splitter {
public:
    Splitter(const Program& source, const TagAssignment& tags, const SplitPlan& plan, const SplitOptions& options)
        : m_source(source), m_tags(tags), m_plan(plan), m_carrier(source, m_result.program, m_result.map),
          m_graphs(source, tags, plan,
                   {.returnTuple = options.returnTuple,
                    .keepSignature = options.keepSignature,
                    .argumentsHoldGraphs = argumentsHoldGraphs(source)},
                   [this](GraphId id) { return m_carrier.carryGraph(id); })
    {
    }

    Result<SplitResult> run(ProgressMonitor& monitor)
    {
        const auto cancelled = [] { return fail(ErrorCode::cancelled, "cancelled while splitting"); };
        begin();
        StepMonitor steps(monitor);
        Graph main;
        std::vector<Graph> parts(m_plan.partCount());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (monitor.isCancelled())
                return cancelled();
            monitor.report(static_cast<double>(i) / static_cast<double>(parts.size()), m_tags.order[i].view());
            if (m_partOfTag[m_tags.order[i]] != i)
                continue;
            m_graphs.buildPart(i, parts[i], m_result.parts[i], m_result.map, steps);
        }
        if (monitor.isCancelled())
            return cancelled();
        m_graphs.buildMain(main, GraphId(0U), m_result.map);
        SUNDER_PROPAGATE(checkAttributeNames());
        place(std::move(main), std::move(parts));
        if (monitor.isCancelled())
            return cancelled();
        m_result.map.finish();
        return std::move(m_result);
    }

private:
    /// Reserves the first graph ids for the main graph and the parts; carried graphs follow. Of two parts with one name only the
    /// later one becomes a module, as in torch; the main graph calls it in both places.
    void begin()
    {
        Program& program = m_result.program;
        program.origin = resultOrigin(m_source);
        program.operators = m_source.operators;
        program.fileHints = m_source.fileHints;
        program.stacks = m_source.stacks;
        program.ranges = m_source.ranges;
        program.tags = TagTable{.order = m_tags.order, .colors = {}};
        if (m_source.tags)
            program.tags->colors = m_source.tags->colors;
        program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
        program.graphs.reserve(m_plan.partCount() + 1);
        program.addGraph(ModuleTree::root());
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            m_partOfTag[m_tags.order[i]] = i;
        m_result.partNames = m_tags.order;
        m_result.parts.resize(m_plan.partCount());
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            if (m_partOfTag[m_tags.order[i]] == i)
                m_result.parts[i] = program.addGraph({});
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            m_result.parts[i] = m_result.parts[m_partOfTag[m_tags.order[i]]];
        m_result.map.reserve(m_source.rootGraph().size() * 2);
        std::size_t targets = 0;
        for (const NodeId id : m_plan.targeting)
            targets += m_source.rootGraph().node(id).userCount() > 0 ? 1 : 0;
        m_nameOf.reserve(targets);
        m_result.fqnMap.reserve(targets);
    }

    /// Returns the paths of a part's targets in the result.
    [[nodiscard]] std::vector<InternedString> pathsOf(std::size_t part) const
    {
        std::vector<InternedString> paths;
        paths.reserve(m_graphs.targets(part).size());
        for (const InternedString target : m_graphs.targets(part))
            paths.push_back(internPath(m_tags.order[part].view(), target.view()));
        return paths;
    }

    void noteNames(std::span<const InternedString> targets, std::span<const InternedString> paths)
    {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto [at, isNew] = m_nameOf.emplace(targets[i], static_cast<std::uint32_t>(m_result.fqnMap.size()));
            if (isNew)
                m_result.fqnMap.emplace_back(targets[i], InternedString());
            m_result.fqnMap[at].second = paths[i];
        }
    }

    /// torch registers attributes that the output reads next to the parts, under the names of their nodes.
    Result<void> checkAttributeNames() const
    {
        for (const auto& [name, target] : m_graphs.outputAttributes())
            if (m_partOfTag.contains(name))
                return fail(ErrorCode::refused,
                            "the tag \"" + name.str() + "\" cannot name a part: the output reads an attribute with that name ("
                                + target.str() + ")",
                            {.node = name.str(), .other = name.str()});
        return {};
    }

    void place(Graph main, std::vector<Graph> parts)
    {
        Program& program = m_result.program;
        if (m_source.signature)
            m_carrier.carryAllTensors();
        std::unordered_set<InternedString> carried;
        for (const auto& [name, target] : m_graphs.outputAttributes())
            if (carried.insert(name).second)
                m_carrier.carryAttribute(target, ModuleTree::root(), name);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t last = m_partOfTag[m_tags.order[i]];
            const std::vector<InternedString> paths = pathsOf(last);
            if (last == i)
                noteNames(m_graphs.targets(i), paths);
            const ModuleId owner = program.modules.ensureChild(ModuleTree::root(), m_tags.order[i]);
            if (program.modules[owner].graph)
                continue;
            program.modules[owner].cls = intern("torch.fx.graph_module.GraphModule");
            program.modules[owner].graph = m_result.parts[i];
            program.owners[m_result.parts[i].index()] = owner;
            m_carrier.carryTargets(m_graphs.targets(last), paths, owner);
        }
        m_carrier.finish();
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (m_partOfTag[m_tags.order[i]] == i)
                program.graph(m_result.parts[i]) = std::move(parts[i]);
        program.graphs[0] = std::move(main);
        carrySignature(m_source, m_graphs.mainNodes(), program);
    }

    const Program& m_source;
    const TagAssignment& m_tags;
    const SplitPlan& m_plan;
    SplitResult m_result;
    ModuleCarrier m_carrier;
    SplitGraphs m_graphs;
    FlatMap<std::uint32_t> m_nameOf; ///< target → index into fqnMap
    std::unordered_map<InternedString, std::size_t> m_partOfTag; ///< name → last part with that name
};

} // namespace

Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options,
                                ProgressMonitor& monitor)
{
    SUNDER_TRY(const SplitPlan plan, planSplit(source.rootGraph(), tags, monitor));
    SUNDER_PROPAGATE(checkNames(tags.order));
    SUNDER_PROPAGATE(checkTargets(source, plan.targeting));
    return Splitter(source, tags, plan, options).run(monitor);
}

} // namespace sunder
