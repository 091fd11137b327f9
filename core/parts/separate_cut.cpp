#include "parts/separate_cut.h"

#include "analysis/cut/part_assignment.h"
#include "analysis/legality/legality_state.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/unflatten/flat_graph.h"

#include <algorithm>
#include <set>
#include <vector>

namespace sunder {
namespace {

/// Gives each part its own setters of global state: replaces those of the program by copies that set state before the first call
/// of the part that needs it and reset it after the last one. Requires that all setters that are active in several parts can be
/// repeated (RegionCut::canRepeat). O(calls + copies).
class RegionGiver {
    using Kind = GlobalSetter::Kind;

public:
    /// `tables` are those of the program. `tags` contains all ops; the copies are added to it.
    RegionGiver(Graph& graph, const LegalityTables& tables, TagAssignment& tags) : m_graph(graph), m_tables(tables), m_tags(tags)
    {
        ActiveSetters whole(tables.globalSetters);
        m_whole.push_back({});
        for (std::uint32_t setter = 0; setter < tables.setters.size(); ++setter) {
            whole.run(setter);
            m_whole.push_back(whole.now());
            std::erase_if(m_whole.back(), [&](std::uint32_t one) { return tables.globalSetters[one].kind == Kind::other; });
        }
    }

    void run()
    {
        m_parts.resize(m_tags.order.size());
        for (std::uint32_t call = 0; call < m_tables.callCount(); ++call)
            if (m_tags[m_tables.nodes[call]] >= 0 && m_tables.noticesState[call] != 0)
                settle(call);
        const NodeId output = m_graph.output();
        for (std::size_t part = 0; part < m_parts.size(); ++part)
            leaveAll(static_cast<std::int32_t>(part), output);
        for (std::uint32_t setter = static_cast<std::uint32_t>(m_tables.setters.size()); setter-- > 0;)
            if (m_tables.globalSetters[setter].kind != Kind::other)
                (void)m_graph.erase(m_tables.globalSetters[setter].node);
    }

private:
    /// A part's own copy of a setter.
    struct Made {
        std::uint32_t setter = 0;
        NodeId node;
    };
    using Part = std::vector<Made>;

    /// Before a call, makes the same setters active in its part as in the whole.
    void settle(std::uint32_t call)
    {
        const NodeId before = m_tables.nodes[call];
        const std::int32_t tag = m_tags[before];
        Part& part = m_parts[static_cast<std::size_t>(tag)];
        const std::vector<std::uint32_t>& wanted = m_whole[m_tables.settersBefore[call]];
        std::size_t kept = 0;
        while (kept < part.size() && kept < wanted.size() && part[kept].setter == wanted[kept])
            ++kept;
        while (part.size() > kept)
            leaveLast(part, tag, before);
        for (std::size_t i = kept; i < wanted.size(); ++i)
            part.push_back({wanted[i], copyOf(m_tables.globalSetters[wanted[i]].node, {}, tag, before)});
    }

    void leaveLast(Part& part, std::int32_t tag, NodeId before)
    {
        const Made made = part.back();
        part.pop_back();
        const GlobalSetter& setter = m_tables.globalSetters[made.setter];
        if (setter.kind == Kind::enter)
            copyOf(m_tables.globalSetters[setter.left].node, made.node, tag, before);
    }

    /// Leaves all regions at the end of a part; grad mode is reset by a copy of the setter that resets it in the whole.
    void leaveAll(std::int32_t tag, NodeId before)
    {
        Part& part = m_parts[static_cast<std::size_t>(tag)];
        bool setsGrad = false;
        while (!part.empty()) {
            const GlobalSetter& setter = m_tables.globalSetters[part.back().setter];
            setsGrad = setsGrad || (setter.kind == Kind::grad && !setter.isOn);
            leaveLast(part, tag, before);
        }
        const std::vector<std::uint32_t>& end = m_whole.back();
        const auto isGrad = [&](std::uint32_t setter) { return m_tables.globalSetters[setter].kind == Kind::grad; };
        if (const auto reset = std::ranges::find_if(end, isGrad); setsGrad && reset != end.end())
            copyOf(m_tables.globalSetters[*reset].node, {}, tag, before);
    }

    /// `entered`: the argument for a setter that leaves a region.
    NodeId copyOf(NodeId setter, NodeId entered, std::int32_t tag, NodeId before)
    {
        const InsertScope scope(m_graph, Graph::InsertPoint::before(before));
        const Node& from = m_graph[setter];
        Arguments args = entered ? Arguments{Argument::node(entered)} : from.args;
        NodeSpec spec{.op = from.op,
                      .name = from.name,
                      .target = from.target,
                      .fn = from.fn,
                      .args = std::move(args),
                      .kwargs = from.kwargs,
                      .type = from.type,
                      .meta = from.meta};
        const NodeId made = m_graph.create(std::move(spec));
        if (m_tags.tagOf.size() <= made.index())
            m_tags.tagOf.resize(made.index() + 1, TagAssignment::kUntagged);
        m_tags.tagOf[made.index()] = tag;
        return made;
    }

    Graph& m_graph;
    const LegalityTables& m_tables;
    TagAssignment& m_tags;
    std::vector<std::vector<std::uint32_t>> m_whole; ///< per number of setters that ran: the active ones, except `other`
    std::vector<Part> m_parts; ///< per part: its active setters
};

class CutSeparator {
public:
    CutSeparator(const Program& source, const SplitResult& split, const SeparateCutOptions& options, ProgressMonitor& monitor)
        : m_source(source), m_split(split), m_options(options), m_monitor(monitor),
          m_tags(partAssignment(source, split.program, split.map)),
          m_tables(std::make_shared<const LegalityTables>(legalityTables(source))),
          m_report(LegalityState(m_tables, m_tags).report())
    {
    }

    Result<SeparateCut> run()
    {
        SUNDER_PROPAGATE(checkReport());
        findWrites();
        const bool hasTokens = m_source.signature && hasEffectTokens(m_source);
        const bool cutsRegions = hasCutRegions();
        if (!hasTokens && !cutsRegions && !takesAttributes())
            return std::move(m_cut);
        Program changed = m_source;
        if (hasTokens)
            for (const ReplacedNode& node : removeEffectTokens(changed)) {
                if (m_tags.tagOf.size() <= node.made.index())
                    m_tags.tagOf.resize(node.made.index() + 1, TagAssignment::kUntagged);
                m_tags.tagOf[node.made.index()] = m_tags[node.original];
            }
        if (cutsRegions)
            RegionGiver(changed.rootGraph(), hasTokens ? legalityTables(changed) : *m_tables, m_tags).run();
        m_tags.tagOf.resize(changed.rootGraph().idBound(), TagAssignment::kUntagged);
        SUNDER_TRY(SplitResult split, splitByTags(changed, m_tags, {}, m_monitor));
        if (m_split.numbersInputs)
            numberInputs(split);
        m_cut.changed = SeparateCut::Changed{std::move(changed), std::move(split)};
        return std::move(m_cut);
    }

private:
    Result<void> checkReport()
    {
        if (!m_report.boundCrossings.empty()) {
            const BoundCrossing& crossing = m_report.boundCrossings.front();
            return refuse(describe(crossing, m_source, m_tags), crossing.producer, crossing.consumer);
        }
        for (const SplitState& state : m_report.splitState) {
            const std::string text = describe(state, m_source, m_tags);
            if (!m_options.unproven)
                return refuse(state.doubts.isNone() ? text : "the parts are not proven to be equivalent to the model: " + text,
                              state.writer, state.reader);
            note(state.readerTag, text);
        }
        for (const CutRegion& region : m_report.cutRegions) {
            if (region.canRepeat)
                continue;
            const std::string text = describe(region, m_source, m_tags);
            if (!m_options.unproven)
                return refuse(text, region.setter, region.node);
            note(region.tag >= 0 ? region.tag : region.setterTag, text);
            m_leavesRegions = true;
        }
        return {};
    }

    [[nodiscard]] tl::unexpected<Error> refuse(std::string text, NodeId node, NodeId other) const
    {
        const auto nameOf = [this](NodeId id) { return id ? m_source.rootGraph()[id].name.str() : std::string(); };
        return fail(ErrorCode::refused, std::move(text), {.node = nameOf(node), .other = nameOf(other)});
    }

    void note(std::int32_t part, const std::string& text)
    {
        if (part >= 0)
            m_cut.notes.emplace_back(m_tags.order[static_cast<std::size_t>(part)], text);
    }

    /// Finds the inputs whose memory their part writes to.
    void findWrites()
    {
        const auto last = static_cast<std::int32_t>(m_tags.order.size()) - 1;
        const auto partOf = [&](const LegalityTables::CallUse& use) {
            return use.call == LegalityTables::kNone ? last : m_tags[m_tables->nodes[m_tables->ownerOf[use.call]]];
        };
        std::set<std::pair<std::int32_t, NodeId>> written;
        for (std::size_t memory = 0; memory < m_tables->written.size(); ++memory) {
            const std::vector<MemoryUse>& uses = m_tables->written[memory].uses;
            std::set<std::int32_t> writers;
            for (std::size_t i = 0; i < uses.size(); ++i)
                if (uses[i].writes)
                    writers.insert(partOf(m_tables->uses[memory][i]));
            for (std::size_t i = 0; i < uses.size(); ++i) {
                const std::int32_t part = partOf(m_tables->uses[memory][i]);
                if (uses[i].from == StandsFor::input && part >= 0 && writers.contains(part)
                    && m_tables->written[memory].doubts.isNone())
                    written.emplace(part, uses[i].value);
            }
        }
        for (const auto& [part, input] : written)
            m_cut.writes.emplace_back(m_tags.order[static_cast<std::size_t>(part)], m_source.rootGraph()[input].name);
    }

    [[nodiscard]] bool hasCutRegions() const
    {
        if (m_leavesRegions || m_tables->setters.empty())
            return false;
        std::vector<std::int32_t> partOf;
        for (const NodeId id : m_tables->nodes)
            partOf.push_back(m_tags[id]);
        return !regionCuts({.setters = m_tables->globalSetters,
                            .setterCalls = m_tables->setters,
                            .noticesState = m_tables->noticesState,
                            .settersBefore = m_tables->settersBefore},
                           partOf)
                    .empty();
    }

    static void numberInputs(SplitResult& split)
    {
        for (const GraphId part : split.parts) {
            Graph& graph = split.program.graph(part);
            Namespace names;
            for (const NodeId id : graph.nodes())
                if (graph[id].op != Op::placeholder)
                    names.use(graph[id].name);
            std::size_t number = 0;
            for (const NodeId id : graph.order())
                if (graph[id].op == Op::placeholder) {
                    const InternedString name = names.create("arg_" + std::to_string(number++));
                    graph.setName(id, name);
                    graph.setTarget(id, name, {});
                }
        }
        split.numbersInputs = true;
    }

    /// Whether parts of a plain graph take attributes of the main graph as inputs, as in the result of split_module.
    [[nodiscard]] bool takesAttributes() const
    {
        if (m_source.signature)
            return false;
        const auto isTaken = [this](const IdentityMap::Pair& pair) {
            return pair.source.graph == m_source.root && m_source.node(pair.source).op == Op::getAttr
                && std::ranges::find(m_split.parts, pair.result.graph) != m_split.parts.end()
                && m_split.program.node(pair.result).op == Op::placeholder;
        };
        return std::ranges::any_of(m_split.map.pairs(), isTaken);
    }

    const Program& m_source;
    const SplitResult& m_split;
    SeparateCutOptions m_options;
    ProgressMonitor& m_monitor;
    TagAssignment m_tags;
    LegalityTablesPtr m_tables;
    TagReport m_report;
    SeparateCut m_cut;
    bool m_leavesRegions = false; ///< some regions cannot be repeated, so none are
};

} // namespace

Result<SeparateCut> separateCut(const Program& source, const SplitResult& split, const SeparateCutOptions& options,
                                ProgressMonitor& monitor)
{
    return CutSeparator(source, split, options, monitor).run();
}

} // namespace sunder
