#include "analysis/cut/part_interface.h"

#include "analysis/cut/cut_edges.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sunder {
namespace {

BoundaryValue boundaryValue(const CutGraph& graph, std::uint32_t value)
{
    return {.node = graph.nodes[value], .bytes = graph.bytes[value], .isKnown = graph.isUnknown[value] == 0};
}

} // namespace

std::vector<PartInterface> partInterfaces(const CutGraph& graph, const TagAssignment& tags)
{
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
    const Rows calls = callsOfParts(partOf, tags.order.size());
    std::vector<PartInterface> interfaces(tags.order.size());
    std::vector<std::uint32_t> seen(graph.nodes.size(), 0);
    for (std::uint32_t part = 0; part < interfaces.size(); ++part)
        for (const std::uint32_t call : calls[part]) {
            for (const std::uint32_t value : graph.inputs[call]) {
                const std::int32_t from = value < graph.callCount ? partOf[value] : TagAssignment::kUntagged;
                if (from == static_cast<std::int32_t>(part) || std::exchange(seen[value], part + 1) == part + 1)
                    continue;
                interfaces[part].inputs.push_back(boundaryValue(graph, value));
                interfaces[part].inputs.back().from = from;
            }
            BoundaryValue output = boundaryValue(graph, call);
            partsThatRead(graph, partOf, call, output.to);
            output.toProgram = graph.leavesProgram[call] != 0;
            if (output.toProgram || !output.to.empty())
                interfaces[part].outputs.push_back(std::move(output));
        }
    return interfaces;
}

// Calls at the boundary of each part. A cut through a million nodes may have hundreds of thousands of them, but users look at a
// few: all are counted, and only those with the most bytes are described.

namespace {

struct Candidate {
    std::uint32_t call;
    std::uint64_t bytes;
};

class Boundaries {
public:
    Boundaries(const CutGraph& graph, const TagAssignment& tags)
        : m_graph(graph), m_partOf(partsOfCalls(graph, tags)), m_calls(callsOfParts(m_partOf, tags.order.size()))
    {
    }

    PartBoundary of(std::size_t part, std::size_t most)
    {
        m_entering.clear();
        m_leaving.clear();
        for (const std::uint32_t call : m_calls[part])
            if (isReadElsewhere(call))
                m_leaving.push_back({call, m_graph.bytes[call]});
            else if (const auto taken = takenFromElsewhere(call); taken)
                m_entering.push_back({call, *taken});
        PartBoundary out{.calls = {}, .entering = m_entering.size(), .leaving = m_leaving.size()};
        std::vector<Candidate> listed = heaviest(m_entering, most, [](auto& a, auto& b) { return a.call < b.call; });
        const std::vector<Candidate> leaving = heaviest(m_leaving, most, [](auto& a, auto& b) { return a.call > b.call; });
        listed.insert(listed.end(), leaving.begin(), leaving.end());
        std::sort(listed.begin(), listed.end(), [](const Candidate& a, const Candidate& b) { return a.call < b.call; });
        for (const Candidate& candidate : listed)
            out.calls.push_back(describe(candidate));
        return out;
    }

    [[nodiscard]] std::size_t parts() const { return m_calls.size(); }

private:
    [[nodiscard]] bool isElsewhere(std::int32_t part, std::uint32_t call) const
    {
        return m_partOf[call] >= 0 && m_partOf[call] != part;
    }

    [[nodiscard]] bool isReadElsewhere(std::uint32_t call) const
    {
        const auto readers = m_graph.readers[call];
        return std::any_of(readers.begin(), readers.end(),
                           [&](std::uint32_t reader) { return isElsewhere(m_partOf[call], reader); });
    }

    [[nodiscard]] std::optional<std::uint64_t> takenFromElsewhere(std::uint32_t call) const
    {
        std::optional<std::uint64_t> bytes;
        for (const std::uint32_t value : m_graph.inputs[call])
            if (value < m_graph.callCount && isElsewhere(m_partOf[call], value))
                bytes = bytes.value_or(0) + m_graph.bytes[value];
        return bytes;
    }

    template <typename IsBefore>
    static std::vector<Candidate> heaviest(std::vector<Candidate>& all, std::size_t most, const IsBefore& isBefore)
    {
        const std::size_t count = std::min(most, all.size());
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
        std::partial_sort(all.begin(), end, all.end(), [&](const Candidate& a, const Candidate& b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : isBefore(a, b);
        });
        return {all.begin(), end};
    }

    [[nodiscard]] BoundaryCall describe(const Candidate& candidate) const
    {
        BoundaryCall out{.node = m_graph.nodes[candidate.call], .from = {}, .to = {}, .bytes = candidate.bytes};
        for (const std::uint32_t value : m_graph.inputs[candidate.call])
            if (value < m_graph.callCount && isElsewhere(m_partOf[candidate.call], value))
                out.from.push_back(m_partOf[value]);
        std::sort(out.from.begin(), out.from.end());
        out.from.erase(std::unique(out.from.begin(), out.from.end()), out.from.end());
        partsThatRead(m_graph, m_partOf, candidate.call, out.to);
        return out;
    }

    const CutGraph& m_graph;
    std::vector<std::int32_t> m_partOf;
    Rows m_calls; ///< per part
    std::vector<Candidate> m_entering;
    std::vector<Candidate> m_leaving;
};

} // namespace

std::vector<PartBoundary> partBoundaries(const CutGraph& graph, const TagAssignment& tags, std::size_t most)
{
    Boundaries boundaries(graph, tags);
    std::vector<PartBoundary> found;
    for (std::size_t part = 0; part < boundaries.parts(); ++part)
        found.push_back(boundaries.of(part, most));
    return found;
}

} // namespace sunder
