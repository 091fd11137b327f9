#include "parts/separate_cut.h"

#include "analysis/cut/part_assignment.h"
#include "analysis/legality/legality_state.h"
#include "parts/own_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/unflatten/flat_graph.h"

#include <algorithm>
#include <set>

namespace sunder {
namespace {

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
        if (const Result<void> checked = checkReport(); !checked)
            return forward(checked);
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
            giveOwnRegions(changed, hasTokens ? legalityTables(changed) : *m_tables, m_tags);
        m_tags.tagOf.resize(changed.rootGraph().idBound(), TagAssignment::kUntagged);
        Result<SplitResult> split = splitByTags(changed, m_tags, {}, m_monitor);
        if (!split)
            return forward(split);
        m_cut.changed = SeparateCut::Changed{std::move(changed), std::move(*split)};
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
                return refuse(state.isKnown ? text : "the parts are not proven to be equivalent to the model: " + text,
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

    /// Inputs that lie in memory which their part writes to.
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
                if (uses[i].from == StandsFor::input && part >= 0 && writers.contains(part) && m_tables->written[memory].isKnown)
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

    /// True for a plain graph whose parts take attributes of the main graph as inputs, as split_module makes them.
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
