// Views of the ports of all parts: the values between each pair of parts, those that a picture marks instead of drawing lines, and
// the calls at each boundary. A cut through a million nodes may have hundreds of thousands of such calls, but users look at a few:
// all are counted, and only those with the most bytes are described.
#include "analysis/cut/cut_edges.h"
#include "support/sort_unique.h"

#include <algorithm>

namespace sunder {
namespace {

/// Whether a picture marks the value at its later consumers instead of drawing lines to them.
bool isShared(const std::vector<std::int32_t>& consumers, std::size_t mostLines)
{
    return consumers.size() > mostLines;
}

void addValue(const Port& port, CutEdge& edge)
{
    edge.values.push_back({port.node, port.bytes, port.isKnown});
    edge.bytes += port.bytes;
    edge.unknown += port.isKnown ? 0 : 1;
    edge.numbers += port.hasNoTensor ? 1 : 0;
}

void orderParts(std::vector<std::int32_t>& parts)
{
    sortUnique(parts);
}

std::vector<Port> sharedValues(const CutGraph& graph, const std::vector<std::int32_t>& partOf, const CutMetrics& metrics,
                               std::size_t mostLines)
{
    std::vector<Port> shared;
    const auto keepLater = [&shared](Port port) {
        const auto later = std::upper_bound(port.to.begin(), port.to.end(), port.from);
        port.to.erase(port.to.begin(), later);
        if (!port.to.empty())
            shared.push_back(std::move(port));
    };
    for (const PartMetrics& part : metrics.parts)
        for (const Port& port : part.interface.outputs)
            if (isShared(port.to, mostLines))
                keepLater(port);
    std::ranges::sort(shared, {}, [&graph](const Port& port) { return graph.valueOf[port.node.index()]; });
    std::vector<std::int32_t> consumers;
    for (std::uint32_t value = graph.callCount; value < graph.nodes.size(); ++value) {
        consumersOf(graph, partOf, value, consumers);
        if (isShared(consumers, mostLines))
            keepLater({.node = graph.nodes[value],
                       .bytes = graph.bytes[value],
                       .isKnown = graph.isUnknown[value] == 0,
                       .hasNoTensor = graph.hasNoTensor[value] != 0,
                       .to = consumers});
    }
    return shared;
}

} // namespace

std::vector<CutEdge> cutEdgesOf(std::span<const PartMetrics> parts, std::size_t mostLines)
{
    std::vector<CutEdge> edges;
    std::vector<std::size_t> edgeTo(parts.size(), 0); ///< index in `edges`; indices before `first` belong to earlier parts
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const auto from = static_cast<std::int32_t>(part);
        const std::vector<Port>& outputs = parts[part].interface.outputs;
        const auto isDrawn = [&](const Port& port, std::int32_t to) { return to < from || !isShared(port.to, mostLines); };
        std::vector<std::int32_t> reached;
        for (const Port& port : outputs)
            std::ranges::copy_if(port.to, std::back_inserter(reached), [&](std::int32_t to) { return isDrawn(port, to); });
        orderParts(reached);
        for (const std::int32_t to : reached) {
            edgeTo[static_cast<std::size_t>(to)] = edges.size();
            edges.push_back({.from = from, .to = to});
        }
        for (const Port& port : outputs)
            for (const std::int32_t to : port.to)
                if (isDrawn(port, to))
                    addValue(port, edges[edgeTo[static_cast<std::size_t>(to)]]);
    }
    return edges;
}

std::uint64_t crossingBytesOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf)
{
    std::uint64_t bytes = 0;
    for (std::uint32_t value = 0; value < graph.callCount; ++value) {
        const auto crosses = [&](std::uint32_t reader) { return partOf[reader] >= 0 && partOf[reader] != partOf[value]; };
        if (partOf[value] >= 0 && std::ranges::any_of(graph.readers[value], crosses))
            bytes += graph.bytes[value];
    }
    return bytes;
}

DrawnCut drawnCut(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics, std::size_t mostLines)
{
    return {.cutEdges = cutEdgesOf(metrics.parts, mostLines),
            .shared = sharedValues(graph, partsOfCalls(graph, tags), metrics, mostLines)};
}

namespace {

struct Candidate {
    std::uint32_t call;
    std::uint64_t bytes;
    const Port* output; ///< of a leaving call
};

template <typename IsBefore>
std::vector<Candidate> heaviest(std::vector<Candidate>& all, std::size_t most, const IsBefore& isBefore)
{
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [&](const Candidate& a, const Candidate& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : isBefore(a, b);
    });
    return {all.begin(), end};
}

class Boundaries {
public:
    Boundaries(const CutGraph& graph, const TagAssignment& tags) : m_graph(graph), m_partOf(partsOfCalls(graph, tags)) {}

    PartBoundary of(std::span<const std::uint32_t> calls, const GraphInterface& interface, std::size_t most)
    {
        m_entering.clear();
        m_leaving.clear();
        auto output = interface.outputs.begin();
        for (const std::uint32_t call : calls) {
            const bool isOutput = output != interface.outputs.end() && output->node == m_graph.nodes[call];
            const Port* const port = isOutput ? &*output++ : nullptr;
            if (port != nullptr && !port->to.empty())
                m_leaving.push_back({call, port->bytes, port});
            else if (const auto taken = takenFromElsewhere(call))
                m_entering.push_back({call, *taken, nullptr});
        }
        PartBoundary out{.calls = {}, .entering = m_entering.size(), .leaving = m_leaving.size()};
        std::vector<Candidate> listed = heaviest(m_entering, most, [](auto& a, auto& b) { return a.call < b.call; });
        const std::vector<Candidate> leaving = heaviest(m_leaving, most, [](auto& a, auto& b) { return a.call > b.call; });
        listed.insert(listed.end(), leaving.begin(), leaving.end());
        std::ranges::sort(listed, {}, &Candidate::call);
        for (const Candidate& candidate : listed)
            out.calls.push_back(describe(candidate));
        return out;
    }

    [[nodiscard]] Rows calls(std::size_t parts) const { return callsOfParts(m_partOf, parts); }

private:
    [[nodiscard]] bool isElsewhere(std::uint32_t value, std::uint32_t call) const
    {
        return value < m_graph.callCount && m_partOf[value] >= 0 && m_partOf[value] != m_partOf[call];
    }

    [[nodiscard]] std::optional<std::uint64_t> takenFromElsewhere(std::uint32_t call) const
    {
        std::optional<std::uint64_t> bytes;
        for (const std::uint32_t value : m_graph.inputs[call])
            if (isElsewhere(value, call))
                bytes = bytes.value_or(0) + m_graph.bytes[value];
        return bytes;
    }

    [[nodiscard]] BoundaryCall describe(const Candidate& candidate) const
    {
        BoundaryCall out{.node = m_graph.nodes[candidate.call], .from = {}, .to = {}, .bytes = candidate.bytes};
        for (const std::uint32_t value : m_graph.inputs[candidate.call])
            if (isElsewhere(value, candidate.call))
                out.from.push_back(m_partOf[value]);
        orderParts(out.from);
        if (candidate.output != nullptr)
            out.to = candidate.output->to;
        return out;
    }

    const CutGraph& m_graph;
    std::vector<std::int32_t> m_partOf;
    std::vector<Candidate> m_entering;
    std::vector<Candidate> m_leaving;
};

} // namespace

std::vector<PartBoundary> partBoundaries(const CutGraph& graph, const TagAssignment& tags, const CutMetrics& metrics,
                                         std::size_t most)
{
    Boundaries boundaries(graph, tags);
    const Rows calls = boundaries.calls(metrics.parts.size());
    std::vector<PartBoundary> found;
    for (std::size_t part = 0; part < metrics.parts.size(); ++part)
        found.push_back(boundaries.of(calls[part], metrics.parts[part].interface, most));
    return found;
}

} // namespace sunder
