#include "analysis/cut/part_measure.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder {

PartMeasure::PartMeasure(const CutGraph& graph, const std::vector<std::int32_t>& partOf)
    : m_graph(graph), m_partOf(partOf), m_seenValue(graph.nodes.size(), 0), m_memories(graph.memoryBytes),
      m_lastUse(graph.pieceBytes.size(), 0)
{
}

PartMetrics PartMeasure::measure(std::int32_t part, std::span<const std::uint32_t> calls, std::vector<MemoryPoint>* curve)
{
    PartMetrics out;
    out.sizes.ops = calls.size();
    ++m_stamp;
    measureParameters(calls, out);
    findPorts(part, calls, out.interface);
    measureBoundary(part, calls, out);
    measureActivations(part, calls, out, curve);
    return out;
}

void PartMeasure::measureParameters(std::span<const std::uint32_t> calls, PartMetrics& out)
{
    m_memories.clear();
    for (const std::uint32_t call : calls)
        for (const std::uint32_t memory : m_graph.memories[call]) {
            if (m_graph.memoryIsUnknown[memory] != 0 && !m_memories.contains(memory))
                out.unknownTensors.push_back(m_graph.tensorOfMemory[memory]);
            out.sizes.parameterBytes += m_memories.add(memory);
        }
}

void PartMeasure::findPorts(std::int32_t part, std::span<const std::uint32_t> calls, GraphInterface& out)
{
    const auto port = [this](std::uint32_t value, std::int32_t from) {
        return Port{.node = m_graph.nodes[value],
                    .bytes = m_graph.bytes[value],
                    .isKnown = m_graph.isUnknown[value] == 0,
                    .hasNoTensor = m_graph.hasNoTensor[value] != 0,
                    .from = from};
    };
    for (const std::uint32_t call : calls) {
        for (const std::uint32_t value : m_graph.inputs[call]) {
            const std::int32_t from = value < m_graph.callCount ? m_partOf[value] : Port::kProgram;
            if (from != part && std::exchange(m_seenValue[value], m_stamp) != m_stamp)
                out.inputs.push_back(port(value, from));
        }
        consumersOf(m_graph, m_partOf, call, m_consumers);
        const bool toProgram = m_graph.leavesProgram[call] != 0;
        const bool toUntagged = std::ranges::any_of(m_graph.readers[call],
                                                    [this](std::uint32_t reader) { return m_partOf[reader] < 0; });
        if (!toProgram && !toUntagged && m_consumers.empty())
            continue;
        out.outputs.push_back(port(call, part));
        out.outputs.back().toProgram = toProgram;
        out.outputs.back().toUntagged = toUntagged;
        out.outputs.back().to = m_consumers;
    }
}

bool PartMeasure::isContainer(std::uint32_t value) const
{
    const std::span<const std::uint32_t> readers = m_graph.readers[value];
    return !readers.empty() && m_graph.isItem[readers.front()] != 0;
}

std::uint64_t PartMeasure::heldBytes(std::int32_t part, std::uint32_t value) const
{
    if (m_graph.rule == MemoryRule::keepsAll || !isContainer(value))
        return m_graph.heldBytes[value];
    std::uint64_t items = 0;
    for (const std::uint32_t reader : m_graph.readers[value]) {
        if (m_partOf[reader] != part)
            continue;
        if (m_graph.isItem[reader] == 0)
            return m_graph.heldBytes[value];
        if (!m_graph.readers[reader].empty() || m_graph.leavesProgram[reader] != 0)
            items += m_graph.heldBytes[reader];
    }
    return items;
}

void PartMeasure::measureBoundary(std::int32_t part, std::span<const std::uint32_t> calls, PartMetrics& out) const
{
    std::vector<std::uint32_t> unknown;
    for (const Port& input : out.interface.inputs) {
        const std::uint32_t value = m_graph.valueOf[input.node.index()];
        out.sizes.inputBytes += heldBytes(part, value);
        if (value >= m_graph.callCount)
            out.sizes.programInputBytes += m_graph.heldBytes[value];
        if (!input.isKnown)
            unknown.push_back(value);
    }
    for (const Port& output : out.interface.outputs)
        out.sizes.outputBytes += output.bytes;
    for (const std::uint32_t call : calls)
        if (m_graph.isUnknown[call] != 0)
            unknown.push_back(call);
    // Inputs of the program have the highest numbers, so they are last.
    std::sort(unknown.begin(), unknown.end());
    for (const std::uint32_t value : unknown)
        out.unknownValues.push_back(m_graph.nodes[value]);
}

void PartMeasure::findLastUses(std::int32_t part, std::span<const std::uint32_t> calls, const GraphInterface& interface)
{
    for (const std::uint32_t call : calls)
        for (const std::uint32_t piece : m_graph.pieces[call])
            m_lastUse[piece] = kNever;
    if (m_graph.rule == MemoryRule::keepsAll)
        return;
    for (std::uint32_t place = 0; place < calls.size(); ++place) {
        for (const std::uint32_t value : m_graph.inputs[calls[place]])
            if (value < m_graph.callCount && m_partOf[value] == part)
                for (const std::uint32_t piece : m_graph.pieces[value])
                    m_lastUse[piece] = place;
        if (isContainer(calls[place])) // exported parts take all items directly after the call
            for (const std::uint32_t piece : m_graph.pieces[calls[place]])
                m_lastUse[piece] = place;
    }
    const auto keep = [this](std::uint32_t value) {
        for (const std::uint32_t piece : m_graph.pieces[value])
            m_lastUse[piece] = kNever;
    };
    for (const Port& output : interface.outputs) {
        const std::uint32_t value = m_graph.valueOf[output.node.index()];
        const auto isOutside = [&](std::uint32_t reader) { return m_partOf[reader] != part; };
        const auto isKept = [&](std::uint32_t reader) { return isOutside(reader) && m_graph.isItem[reader] == 0; };
        if (output.toProgram || std::ranges::any_of(m_graph.readers[value], isKept))
            keep(value);
        for (const std::uint32_t reader : m_graph.readers[value])
            if (isOutside(reader) && m_graph.isItem[reader] != 0
                && (!m_graph.readers[reader].empty() || m_graph.leavesProgram[reader] != 0))
                keep(reader); // the part returns the items that others take and use
    }
}

void PartMeasure::measureActivations(std::int32_t part, std::span<const std::uint32_t> numbered, PartMetrics& out,
                                     std::vector<MemoryPoint>* curve)
{
    std::vector<std::uint32_t> sorted;
    if (!m_graph.runOrder.empty()) {
        sorted.assign(numbered.begin(), numbered.end());
        std::ranges::sort(sorted, {}, [this](std::uint32_t call) { return m_graph.runOrder[call]; });
    }
    const std::span<const std::uint32_t> calls = sorted.empty() ? numbered : sorted;
    findLastUses(part, calls, out.interface);
    std::vector<std::uint64_t> freed(calls.size(), 0);
    std::uint64_t live = 0;
    for (std::uint32_t place = 0; place < calls.size(); ++place) {
        const NodeId node = m_graph.nodes[calls[place]];
        for (const std::uint32_t piece : m_graph.pieces[calls[place]]) {
            if (m_graph.pieceMaker[piece] != calls[place])
                continue;
            live += m_graph.pieceBytes[piece];
            out.sizes.activationSumBytes += m_graph.pieceBytes[piece];
            if (m_lastUse[piece] != kNever)
                freed[m_lastUse[piece]] += m_graph.pieceBytes[piece];
        }
        if (!out.peakAt || live > out.sizes.activationPeakBytes) {
            out.sizes.activationPeakBytes = live;
            out.peakAt = node;
        }
        if (curve != nullptr)
            curve->push_back({node, live});
        live -= freed[place];
    }
}

std::span<const std::int32_t> PartMeasure::holders(std::uint32_t memory)
{
    m_holders.clear();
    for (const std::uint32_t call : m_graph.memoryReaders[memory])
        if (m_partOf[call] >= 0 && (m_holders.empty() || m_holders.back() != m_partOf[call]))
            m_holders.push_back(m_partOf[call]);
    sortUnique(m_holders);
    return m_holders;
}

void PartMeasure::addDuplicates(std::uint32_t memory, std::vector<PartMetrics>& parts)
{
    const auto held = holders(memory);
    for (const std::int32_t part : held.subspan(0, held.size() > 1 ? held.size() : 0))
        parts[static_cast<std::size_t>(part)].sizes.duplicatedBytes += m_graph.memoryBytes[memory];
}

PartMetrics measureNodes(const CutGraph& graph, std::span<const NodeId> nodes)
{
    std::vector<std::int32_t> partOf(graph.callCount, TagAssignment::kUntagged);
    std::vector<std::uint32_t> calls;
    for (const NodeId id : nodes)
        if (const std::uint32_t call = graph.valueOf[id.index()]; call < graph.callCount && partOf[call] != 0) {
            partOf[call] = 0;
            calls.push_back(call);
        }
    std::sort(calls.begin(), calls.end());
    return PartMeasure(graph, partOf).measure(0, calls);
}

PartMetrics measureProgram(const CutGraph& graph, std::vector<MemoryPoint>* curve)
{
    const std::vector<std::int32_t> partOf(graph.callCount, 0);
    std::vector<std::uint32_t> calls(graph.callCount);
    std::iota(calls.begin(), calls.end(), 0U);
    PartMetrics out = PartMeasure(graph, partOf).measure(0, calls, curve);
    for (const std::uint32_t memory : graph.unreadMemories) {
        out.sizes.parameterBytes += graph.memoryBytes[memory];
        if (graph.memoryIsUnknown[memory] != 0)
            out.unknownTensors.push_back(graph.tensorOfMemory[memory]);
    }
    for (auto value = graph.callCount; value < graph.nodes.size(); ++value)
        if (graph.readers[value].empty()) {
            out.sizes.inputBytes += graph.heldBytes[value];
            out.sizes.programInputBytes += graph.heldBytes[value];
            if (graph.isUnknown[value] != 0)
                out.unknownValues.push_back(graph.nodes[value]);
        }
    return out;
}

} // namespace sunder
