// Findings of LegalityState about parts that run as separate models.
#include "analysis/legality/legality_state.h"

#include <algorithm>
#include <utility>

namespace sunder {

void LegalityState::settleCopies()
{
    const LegalityTables& tables = *m_tables;
    std::ranges::sort(m_staleCopies);
    const auto [first, last] = std::ranges::unique(m_staleCopies);
    m_staleCopies.erase(first, last);
    const auto parts = static_cast<std::int32_t>(m_tags.order.size());
    std::vector<UsePlace> places;
    for (const std::uint32_t memory : std::exchange(m_staleCopies, {})) {
        places.clear();
        for (std::size_t i = 0; i < tables.uses[memory].size(); ++i) {
            const LegalityTables::CallUse& use = tables.uses[memory][i];
            const MemoryUse& what = tables.written[memory].uses[i];
            const bool isOfLast = what.writes
                || what.from == StandsFor::state; // the last part returns and writes values that no call makes
            const std::int32_t ofProgram = isOfLast ? parts - 1 : parts;
            places.push_back({.part = use.call != LegalityTables::kNone ? partOf(use.call) : ofProgram,
                              .origin = use.origin != LegalityTables::kNone ? partOf(use.origin) : TagAssignment::kUntagged});
        }
        m_copies[memory] = copyConflicts(tables.written[memory], places);
    }
}

void LegalityState::settleRegions()
{
    if (!std::exchange(m_cutsAreStale, false))
        return;
    const LegalityTables& tables = *m_tables;
    m_cuts = regionCuts({.setters = tables.globalSetters,
                         .setterCalls = tables.setters,
                         .noticesState = tables.noticesState,
                         .settersBefore = tables.settersBefore},
                        m_tagOf);
}

bool LegalityState::isBound(const LegalityTables::BoundValue& value) const
{
    const std::int32_t producer = partOf(value.call);
    if (value.reader == LegalityTables::kNone)
        return producer != TagAssignment::kUntagged;
    const std::int32_t reader = partOf(value.reader);
    return producer != TagAssignment::kUntagged && reader != TagAssignment::kUntagged && producer != reader;
}

void LegalityState::addSeparate(Findings& found)
{
    using Kind = Finding::Kind;
    settleCopies();
    settleRegions();
    for (std::uint32_t memory = 0; memory < m_copies.size(); ++memory)
        for (const CopyConflict& conflict : m_copies[memory]) {
            const auto reader = static_cast<std::size_t>(conflict.readerPart);
            const bool isResult = reader >= m_tags.order.size();
            found.push_back({Kind::copies, memory, isResult ? Finding::kResult : m_tags.order[reader].id()});
        }
    for (const RegionCut& cut : m_cuts)
        if (!cut.canRepeat)
            found.push_back({Kind::cutRegion, cut.setter, 0});
        else if (!m_tables->globalSetters[cut.setter].isOn)
            found.push_back({Kind::repeated, cut.setter, 0});
    for (const LegalityTables::BoundValue& value : m_tables->boundValues)
        if (isBound(value) && (found.empty() || found.back() != Finding{Kind::boundValue, value.call, 0}))
            found.push_back({Kind::boundValue, value.call, 0});
}

void LegalityState::addSeparate(TagReport& report)
{
    const LegalityTables& tables = *m_tables;
    settleCopies();
    settleRegions();
    const auto nodeOf = [&tables](std::uint32_t call) { return call == LegalityTables::kNone ? NodeId() : tables.nodes[call]; };
    for (std::uint32_t memory = 0; memory < m_copies.size(); ++memory)
        for (const CopyConflict& conflict : m_copies[memory]) {
            const MemoryUse& read = tables.written[memory].uses[conflict.reader];
            const bool isResult = conflict.readerPart == static_cast<std::int32_t>(m_tags.order.size());
            report.splitState.push_back(
                {.memory = tables.written[memory].name,
                 .writer = tables.written[memory].uses[conflict.writer].call,
                 .reader = read.call,
                 .value = read.value,
                 .writerTag = conflict.writerPart,
                 .readerTag = isResult ? partOf(tables.uses[memory][conflict.reader].origin) : conflict.readerPart,
                 .isResult = isResult,
                 .doubts = tables.written[memory].doubts,
                 .number = memory});
        }
    for (const RegionCut& cut : m_cuts) {
        const GlobalSetter& setter = tables.globalSetters[cut.setter];
        if (cut.canRepeat && setter.isOn)
            continue; // gradients are enabled unless something disables them
        report.cutRegions.push_back({.setter = setter.node,
                                     .node = nodeOf(cut.call),
                                     .field = setter.field,
                                     .setterTag = m_tagOf[tables.setters[cut.setter]],
                                     .tag = cut.part,
                                     .isMissing = cut.isMissing,
                                     .canRepeat = cut.canRepeat});
    }
    for (const LegalityTables::BoundValue& value : tables.boundValues)
        if (isBound(value)
            && (report.boundCrossings.empty() || report.boundCrossings.back().producer != tables.nodes[value.call]))
            report.boundCrossings.push_back(
                {.producer = tables.nodes[value.call],
                 .consumer = nodeOf(value.reader),
                 .producerTag = partOf(value.call),
                 .consumerTag = value.reader == LegalityTables::kNone ? TagAssignment::kUntagged : partOf(value.reader)});
}

} // namespace sunder
