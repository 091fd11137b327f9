// Computes the cost of a cut from the source and the part of each call, without splitting. Each part is measured separately, then
// the transfers between parts. Memory is counted by pieces that live from call to call, so views are free and the peak depends on
// the order of calls. Transfers are counted by values: each is sent once to every part that consumes it.
#include "analysis/cut/cut_metrics.h"

#include "analysis/cut/cut_edges.h"
#include "analysis/cut/part_measure.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

void measureParameters(const CutGraph& graph, PartMeasure& measure, CutMetrics& out)
{
    for (std::uint32_t memory = 0; memory < graph.memoryBytes.size(); ++memory) {
        const std::size_t copies = measure.holders(memory).size();
        if (copies == 0)
            continue;
        out.parameterBytes += graph.memoryBytes[memory];
        out.duplicatedBytes += graph.memoryBytes[memory] * (copies - 1);
        measure.addDuplicates(memory, out.parts);
    }
}

void sumUp(CutMetrics& out)
{
    double sum = 0;
    std::size_t filled = 0;
    for (std::size_t i = 0; i < out.parts.size(); ++i) {
        const PartSizes& sizes = out.parts[i].sizes;
        sum += static_cast<double>(sizes.usedBytes());
        filled += sizes.ops > 0 ? 1 : 0;
        if (out.largest < 0 || sizes.usedBytes() > out.parts[static_cast<std::size_t>(out.largest)].sizes.usedBytes())
            out.largest = static_cast<std::int32_t>(i);
    }
    if (sum > 0)
        out.imbalance = static_cast<double>(out.parts[static_cast<std::size_t>(out.largest)].sizes.usedBytes())
            * static_cast<double>(filled) / sum;
    for (const CutEdge& cutEdge : out.cutEdges) {
        out.cutBytes += cutEdge.bytes;
        out.backwardBytes += cutEdge.isBackward() ? cutEdge.bytes : 0;
        out.unknownCrossings += cutEdge.unknown;
    }
}

/// Returns the memory that any part with this call needs: its inputs and results exist at the same time. Inputs that are views
/// are excluded, as they may share memory that is already counted.
std::uint64_t needOf(const CutGraph& graph, std::uint32_t call)
{
    const auto made = [&graph](std::uint32_t value) {
        std::uint64_t bytes = 0;
        for (const std::uint32_t piece : graph.pieces[value])
            bytes += graph.pieceMaker[piece] == value ? graph.pieceBytes[piece] : 0;
        return bytes;
    };
    std::uint64_t need = made(call);
    for (const std::uint32_t memory : graph.memories[call])
        need += graph.memoryBytes[memory];
    for (const std::uint32_t value : graph.inputs[call])
        need += value < graph.callCount ? std::min(made(value), graph.heldBytes[value]) : graph.heldBytes[value];
    return need;
}

PartBound boundOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, const CutMetrics& metrics)
{
    PartBound bound;
    if (!metrics.parts.empty())
        bound.bytes = (metrics.parameterBytes + metrics.parts.size() - 1) / metrics.parts.size();
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        const std::uint64_t need = partOf[call] >= 0 ? needOf(graph, call) : 0;
        if (need > bound.bytes)
            bound = {need, PartBound::Reason::call, graph.nodes[call]};
    }
    return bound;
}

} // namespace

namespace {

using SizeMember = std::uint64_t PartSizes::*;
constexpr std::array<SizeMember, 7> kSizes = {
    &PartSizes::parameterBytes, &PartSizes::duplicatedBytes,   &PartSizes::activationPeakBytes, &PartSizes::activationSumBytes,
    &PartSizes::inputBytes,     &PartSizes::programInputBytes, &PartSizes::outputBytes};

} // namespace

PartSizes& PartSizes::operator+=(const PartSizes& other)
{
    ops += other.ops;
    for (const SizeMember member : kSizes)
        this->*member += other.*member;
    return *this;
}

PartSizes& PartSizes::operator-=(const PartSizes& other)
{
    ops -= other.ops;
    for (const SizeMember member : kSizes)
        this->*member -= other.*member;
    return *this;
}

std::optional<double> CutMetrics::gap() const
{
    if (bound.bytes == 0 || largest < 0)
        return std::nullopt;
    const std::uint64_t used = parts[static_cast<std::size_t>(largest)].sizes.usedBytes();
    return (static_cast<double>(used) - static_cast<double>(bound.bytes)) / static_cast<double>(bound.bytes);
}

CutMetrics cutMetrics(const CutGraph& graph, const TagAssignment& tags)
{
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
    const Rows calls = callsOfParts(partOf, tags.order.size());
    PartMeasure measure(graph, partOf);
    CutMetrics out{.rule = graph.rule};
    out.untaggedCalls = static_cast<std::size_t>(std::count(partOf.begin(), partOf.end(), TagAssignment::kUntagged));
    for (std::size_t part = 0; part < tags.order.size(); ++part) {
        out.parts.push_back(measure.measure(static_cast<std::int32_t>(part), calls[part]));
        out.parts.back().name = tags.order[part];
    }
    measureParameters(graph, measure, out);
    out.cutEdges = cutEdgesOf(out.parts, out.parts.size());
    out.crossingBytes = crossingBytesOf(graph, partOf);
    sumUp(out);
    out.bound = boundOf(graph, partOf, out);
    return out;
}

CutMetrics cutMetrics(const Program& program, const TagAssignment& tags)
{
    return cutMetrics(cutGraph(program), tags);
}

} // namespace sunder
