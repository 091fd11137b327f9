// Previews moves of calls between parts. Only two kinds of parts can change. Parts that lose or gain calls are measured again as
// a whole, since their peak may shift anywhere. Parts that hold a memory may gain or lose a duplicate. The inputs and outputs of
// a third part stay the same: a value that it exchanges with a moved call crosses its boundary both before and after. Everything
// else follows from the edges of the moved calls.

#include "analysis/cut/move_preview.h"

#include "analysis/cut/part_assignment.h"
#include "analysis/cut/part_measure.h"
#include "support/format.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace sunder {
/// A single preview under construction.
class MovePreviewer::Trial {
public:
    Trial(const MovePreviewer& cut, std::int32_t to, ProgressMonitor& monitor)
        : m_cut(cut), m_graph(cut.m_graph), m_monitor(monitor), m_before(cut.m_partOf), m_after(cut.m_partOf), m_to(to)
    {
        m_out.to = to;
    }

    Result<MovePreview> run(std::span<const NodeId> nodes)
    {
        if (m_to >= 0 && static_cast<std::size_t>(m_to) < m_cut.m_metrics.parts.size())
            collect(nodes);
        m_out.cutBytesBefore = m_out.cutBytesAfter = m_cut.m_metrics.cutBytes;
        m_out.largestBefore = m_out.largestAfter = largest({});
        m_out.backwardAfter = m_cut.m_backward;
        if (!m_calls.empty()) {
            compareCutEdges();
            compareEdges();
            SUNDER_PROPAGATE(compareParts());
        }
        if (!m_out.isLegal())
            m_out.isOrderable = partsCanBeOrdered(m_graph, m_after, m_cut.m_metrics.parts.size());
        return std::move(m_out);
    }

private:
    void collect(std::span<const NodeId> nodes)
    {
        for (const NodeId id : nodes) {
            const std::uint32_t call = id.index() < m_graph.valueOf.size() ? m_graph.valueOf[id.index()] : CutGraph::kNone;
            if (call < m_graph.callCount && m_before[call] != m_to)
                m_calls.push_back(call);
        }
        sortUnique(m_calls);
        for (const std::uint32_t call : m_calls) {
            m_after[call] = m_to;
            m_out.moved.push_back(m_graph.nodes[call]);
            if (m_before[call] >= 0)
                m_concerned.push_back(static_cast<std::uint32_t>(m_before[call]));
        }
        m_concerned.push_back(static_cast<std::uint32_t>(m_to));
        sortUnique(m_concerned);
    }

    void compareCutEdges()
    {
        std::vector<std::uint32_t> values = m_calls;
        for (const std::uint32_t call : m_calls)
            for (const std::uint32_t value : m_graph.inputs[call])
                if (value < m_graph.callCount)
                    values.push_back(value);
        sortUnique(values);
        std::map<std::pair<std::int32_t, std::int32_t>, CutEdgeChange> changes;
        std::vector<std::int32_t> readers;
        for (const std::uint32_t value : values) {
            consumersOf(m_graph, m_before, value, readers);
            std::vector<std::int32_t> before = readers;
            consumersOf(m_graph, m_after, value, readers);
            if (m_before[value] == m_after[value] && before == readers)
                continue;
            for (const std::int32_t to : before)
                note(changes[{m_before[value], to}], value, -1);
            for (const std::int32_t to : readers)
                note(changes[{m_after[value], to}], value, 1);
        }
        finishCutEdges(changes);
    }

    /// Until finishCutEdges(), the fields count removed values ("before") and added values ("after").
    void note(CutEdgeChange& change, std::uint32_t value, int sign)
    {
        (sign < 0 ? change.bytesBefore : change.bytesAfter) += m_graph.bytes[value];
        (sign < 0 ? change.valuesBefore : change.valuesAfter) += 1;
    }

    void finishCutEdges(const std::map<std::pair<std::int32_t, std::int32_t>, CutEdgeChange>& changes)
    {
        const std::vector<CutEdge>& cutEdges = m_cut.m_metrics.cutEdges;
        for (const auto& [pair, change] : changes) {
            const auto at = std::lower_bound(cutEdges.begin(), cutEdges.end(), pair, [](const CutEdge& cutEdge, const auto& key) {
                return std::pair(cutEdge.from, cutEdge.to) < key;
            });
            const bool isThere = at != cutEdges.end() && std::pair(at->from, at->to) == pair;
            CutEdgeChange out{.from = pair.first, .to = pair.second};
            out.bytesBefore = isThere ? at->bytes : 0;
            out.valuesBefore = isThere ? at->values.size() : 0;
            out.bytesAfter = out.bytesBefore + change.bytesAfter - change.bytesBefore;
            out.valuesAfter = out.valuesBefore + change.valuesAfter - change.valuesBefore;
            m_out.cutBytesAfter += change.bytesAfter - change.bytesBefore;
            if (out.bytesAfter != out.bytesBefore || out.valuesAfter != out.valuesBefore)
                m_out.cutEdges.push_back(out);
        }
    }

    void compareEdges()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // consumer, producer
        for (const std::uint32_t call : m_calls) {
            for (const std::uint32_t value : m_graph.inputs[call])
                if (value < m_graph.callCount)
                    edges.emplace_back(call, value);
            for (const std::uint32_t reader : m_graph.readers[call])
                edges.emplace_back(reader, call);
        }
        sortUnique(edges);
        for (const auto& [consumer, producer] : edges) {
            const bool wasBackward = isBackward(m_before[producer], m_before[consumer]);
            const bool isNow = isBackward(m_after[producer], m_after[consumer]);
            if (wasBackward == isNow)
                continue;
            const std::vector<std::int32_t>& partOf = isNow ? m_after : m_before;
            (isNow ? m_out.broken : m_out.mended)
                .push_back({m_graph.nodes[producer], m_graph.nodes[consumer], partOf[producer], partOf[consumer],
                            m_graph.bytes[producer]});
        }
        m_out.backwardAfter += m_out.broken.size();
        m_out.backwardAfter -= m_out.mended.size();
    }

    Result<void> compareParts()
    {
        PartMeasure measure(m_graph, m_after);
        std::map<std::int32_t, PartSizes> after;
        for (const std::uint32_t part : m_concerned) {
            SUNDER_PROPAGATE(m_monitor.check());
            after[static_cast<std::int32_t>(part)] = measure.measure(static_cast<std::int32_t>(part), callsAfter(part)).sizes;
        }
        for (auto& [part, sizes] : after)
            sizes.duplicatedBytes = before(part).duplicatedBytes;
        compareDuplicates(measure, after);
        for (const auto& [part, sizes] : after)
            if (sizes != before(part))
                m_out.parts.push_back({part, before(part), sizes});
        m_out.largestAfter = largest(after);
        return {};
    }

    void compareDuplicates(PartMeasure& measure, std::map<std::int32_t, PartSizes>& after)
    {
        std::vector<std::uint32_t> memories;
        for (const std::uint32_t call : m_calls)
            memories.insert(memories.end(), m_graph.memories[call].begin(), m_graph.memories[call].end());
        sortUnique(memories);
        PartMeasure old(m_graph, m_before);
        const auto sizesOf = [&](std::int32_t part) -> PartSizes& { return after.try_emplace(part, before(part)).first->second; };
        for (const std::uint32_t memory : memories) {
            if (const auto held = old.holders(memory); held.size() > 1)
                for (const std::int32_t part : held)
                    sizesOf(part).duplicatedBytes -= m_graph.memoryBytes[memory];
            if (const auto held = measure.holders(memory); held.size() > 1)
                for (const std::int32_t part : held)
                    sizesOf(part).duplicatedBytes += m_graph.memoryBytes[memory];
        }
    }

    /// Returns the calls of a part after the move, in graph order.
    std::vector<std::uint32_t> callsAfter(std::uint32_t part) const
    {
        std::vector<std::uint32_t> stay;
        for (const std::uint32_t call : m_cut.m_calls[part])
            if (m_after[call] == static_cast<std::int32_t>(part))
                stay.push_back(call);
        if (static_cast<std::int32_t>(part) != m_to)
            return stay;
        std::vector<std::uint32_t> all;
        std::merge(stay.begin(), stay.end(), m_calls.begin(), m_calls.end(), std::back_inserter(all));
        return all;
    }

    const PartSizes& before(std::int32_t part) const { return m_cut.m_metrics.parts[static_cast<std::size_t>(part)].sizes; }

    std::uint64_t largest(const std::map<std::int32_t, PartSizes>& changed) const
    {
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < m_cut.m_metrics.parts.size(); ++i) {
            const auto found = changed.find(static_cast<std::int32_t>(i));
            most = std::max(most, (found != changed.end() ? found->second : before(static_cast<std::int32_t>(i))).usedBytes());
        }
        return most;
    }

    const MovePreviewer& m_cut;
    const CutGraph& m_graph;
    ProgressMonitor& m_monitor;
    const std::vector<std::int32_t>& m_before;
    std::vector<std::int32_t> m_after;
    std::int32_t m_to;
    std::vector<std::uint32_t> m_calls;     ///< moved calls, ascending
    std::vector<std::uint32_t> m_concerned; ///< parts that lose or gain calls, ascending
    MovePreview m_out;
};

MovePreviewer::MovePreviewer(const CutGraph& graph, const TagAssignment& tags)
    : m_graph(graph), m_partOf(partsOfCalls(graph, tags)), m_calls(callsOfParts(m_partOf, tags.order.size())),
      m_metrics(cutMetrics(graph, tags)), m_backward(backwardEdgeCount(graph, m_partOf))
{
}

std::int32_t MovePreviewer::partOf(NodeId id) const
{
    const std::uint32_t call = id.index() < m_graph.valueOf.size() ? m_graph.valueOf[id.index()] : CutGraph::kNone;
    return call < m_graph.callCount ? m_partOf[call] : TagAssignment::kUntagged;
}

MovePreview MovePreviewer::preview(std::span<const NodeId> nodes, std::int32_t to) const
{
    return *preview(nodes, to, ProgressMonitor::none());
}

Result<MovePreview> MovePreviewer::preview(std::span<const NodeId> nodes, std::int32_t to, ProgressMonitor& monitor) const
{
    SUNDER_TRY(MovePreview preview, Trial(*this, to, monitor).run(nodes));
    SUNDER_PROPAGATE(monitor.check());
    return preview;
}

namespace {

std::string change(std::uint64_t before, std::uint64_t after, const char* more, const char* less)
{
    return after > before ? more + formatBytes(after - before) : less + formatBytes(before - after);
}

} // namespace

std::string describe(const MovePreview& preview, const Graph& graph, const TagAssignment& tags)
{
    if (preview.moved.empty())
        return "nothing moves";
    std::string text = preview.cutBytesAfter == preview.cutBytesBefore
        ? "does not change the cut size"
        : change(preview.cutBytesBefore, preview.cutBytesAfter, "adds ", "removes ")
            + (preview.cutBytesAfter > preview.cutBytesBefore ? " to the cut" : " from the cut");
    for (const PartChange& part : preview.parts)
        if (part.before.usedBytes() != part.after.usedBytes())
            text += "; " + tags.order[static_cast<std::size_t>(part.part)].str()
                + change(part.before.usedBytes(), part.after.usedBytes(), " grows by ", " shrinks by ");
    if (!preview.broken.empty()) {
        text += "; " + describe(preview.broken.front(), graph, tags);
        if (preview.broken.size() > 1)
            text += ", and " + formatCount(preview.broken.size() - 1, "edge") + " more";
    }
    if (!preview.isLegal() && preview.isOrderable)
        text += "; legal with another order of the parts";
    return text;
}

} // namespace sunder
