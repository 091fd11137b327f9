#include "analysis/sequence/boundary_move.h"

#include "analysis/cut/cut_edges.h"
#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

PlaceRange rangeOf(const ModelSequence& sequence, const CutSequence& cut, std::size_t border)
{
    PlaceRange range{1, sequence.callCount() - 1};
    if (border > 0)
        range.first = cut.borders[border - 1].place + 1;
    if (border + 1 < cut.borders.size())
        range.last = cut.borders[border + 1].place - 1;
    return range;
}

} // namespace

BoundaryMove::BoundaryMove(std::shared_ptr<const ModelSequence> sequence, const TagAssignment& tags, const CutSequence& cut,
                           std::size_t border)
    : m_sequence(std::move(sequence)), m_border(cut.borders[border]), m_range(rangeOf(*m_sequence, cut, border)),
      m_before(partsOfCalls(*m_sequence->graph, tags)), m_partOf(m_before), m_moved{m_border.place, m_border.place},
      m_measure(*m_sequence->graph, m_partOf)
{
}

BoundaryFigures BoundaryMove::moveTo(std::uint32_t place)
{
    place = std::clamp(place, m_range.first, m_range.last);
    std::copy(m_before.begin() + m_moved.first, m_before.begin() + m_moved.last, m_partOf.begin() + m_moved.first);
    m_moved = {std::min(place, m_border.place), std::max(place, m_border.place)};
    BoundaryFigures out{.place = place};
    for (std::uint32_t call = m_moved.first; call < m_moved.last; ++call) {
        const std::int32_t tag = m_before[call];
        if (place > m_border.place && (tag < 0 || tag >= m_border.after))
            m_partOf[call] = m_border.before;
        else if (place < m_border.place && tag <= m_border.before)
            m_partOf[call] = m_border.after;
        out.changedCalls += m_partOf[call] != tag ? 1 : 0;
    }
    out.before = measure(m_border.before);
    out.after = measure(m_border.after);
    measureCrossing(out);
    out.allCrossingBytes = crossingBytesOf(*m_sequence->graph, m_partOf);
    out.legality = legalityOf(*m_sequence->graph, m_partOf);
    return out;
}

StageFigures BoundaryMove::measure(std::int32_t tag)
{
    std::vector<std::uint32_t> calls;
    for (std::uint32_t call = 0; call < m_partOf.size(); ++call)
        if (m_partOf[call] == tag)
            calls.push_back(call);
    const PartMetrics metrics = m_measure.measure(tag, calls);
    return {tag, metrics.sizes, metrics.unknownValues.size() + metrics.unknownTensors.size()};
}

void BoundaryMove::measureCrossing(BoundaryFigures& out) const
{
    const CutGraph& graph = *m_sequence->graph;
    const auto isBefore = [this](std::uint32_t call) { return m_partOf[call] <= m_border.before; };
    for (std::uint32_t value = 0; value < graph.callCount; ++value) {
        if (m_partOf[value] < 0)
            continue;
        const auto readers = graph.readers[value];
        if (std::ranges::none_of(
                readers, [&](std::uint32_t reader) { return m_partOf[reader] >= 0 && isBefore(reader) != isBefore(value); }))
            continue;
        out.crossingBytes += graph.bytes[value];
        ++out.crossingValues;
        out.nonTensors += graph.hasNoTensor[value] != 0 ? 1 : 0;
    }
}

std::vector<std::pair<NodeId, std::int32_t>> BoundaryMove::changes() const
{
    std::vector<std::pair<NodeId, std::int32_t>> found;
    for (std::uint32_t call = m_moved.first; call < m_moved.last; ++call)
        if (m_partOf[call] != m_before[call])
            found.emplace_back(m_sequence->graph->nodes[call], m_partOf[call]);
    return found;
}

Result<TagAssignment> withBorderAt(const std::shared_ptr<const ModelSequence>& sequence, const TagAssignment& tags,
                                   std::size_t border, std::uint32_t place)
{
    const std::vector<std::int32_t> partOf = partsOfCalls(*sequence->graph, tags);
    const CutSequence cut = cutSequence(*sequence, partOf, tags.order.size());
    if (border >= cut.borders.size())
        return fail(ErrorCode::usage,
                    "there is no boundary " + std::to_string(border + 1) + ": the cut has " + formatCount(cut.borders.size())
                        + (cut.borders.size() == 1 ? " boundary" : " boundaries"));
    BoundaryMove move(sequence, tags, cut, border);
    if (!move.range().contains(place))
        return fail(ErrorCode::refused,
                    "boundary " + std::to_string(border + 1) + " can be after " + std::to_string(move.range().first) + " to "
                        + std::to_string(move.range().last) + " ops, not after " + std::to_string(place));
    move.moveTo(place);
    TagAssignment moved = tags;
    moved.tagOf.resize(sequence->graph->valueOf.size(), TagAssignment::kUntagged);
    for (const auto& [node, tag] : move.changes())
        moved.tagOf[node.index()] = tag;
    return moved;
}

std::string describeCrossing(const BoundaryFigures& figures)
{
    if (figures.crossingValues == 0)
        return "nothing is sent across";
    std::string text = formatCount(figures.crossingValues, "value") + ", " + formatBytes(figures.crossingBytes) + " sent across";
    if (figures.nonTensors > 0)
        text += " (" + formatCount(figures.nonTensors) + (figures.nonTensors == 1 ? " not a tensor)" : " not tensors)");
    return text;
}

} // namespace sunder
