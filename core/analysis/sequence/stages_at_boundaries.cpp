// Finds exactly k stages at given places that minimize the largest one. A greedy walk checks whether a size is sufficient, and
// bisection finds the smallest sufficient size. This only requires that the weight of a stage never decreases when it grows.
#include "analysis/sequence/module_stages.h"
#include "support/format.h"

#include <algorithm>
#include <string>

namespace sunder {
namespace {

/// The weight of the calls between two places. Both places advance.
class StretchWeight {
public:
    enum class Unit : std::uint8_t { memories, results, calls };

    StretchWeight(const CutGraph& graph, Unit unit) : m_graph(graph), m_unit(unit), m_readers(graph.memoryBytes.size(), 0) {}

    [[nodiscard]] std::uint64_t total() const { return m_total; }

    void add(std::uint32_t call)
    {
        switch (m_unit) {
        case Unit::calls: ++m_total; break;
        case Unit::results: m_total += m_graph.bytes[call]; break;
        case Unit::memories:
            for (const std::uint32_t memory : m_graph.memories[call])
                if (m_readers[memory]++ == 0)
                    m_total += m_graph.memoryBytes[memory];
        }
    }

    void remove(std::uint32_t call)
    {
        switch (m_unit) {
        case Unit::calls: --m_total; break;
        case Unit::results: m_total -= m_graph.bytes[call]; break;
        case Unit::memories:
            for (const std::uint32_t memory : m_graph.memories[call])
                if (--m_readers[memory] == 0)
                    m_total -= m_graph.memoryBytes[memory];
        }
    }

private:
    const CutGraph& m_graph;
    Unit m_unit;
    std::vector<std::uint32_t> m_readers; ///< per memory: number of readers among the current calls
    std::uint64_t m_total = 0;
};

StretchWeight::Unit unitOf(const ModelSequence& sequence, StageMeasure measure)
{
    const CutGraph& graph = *sequence.graph;
    if (measure == StageMeasure::nodes)
        return StretchWeight::Unit::calls;
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        for (const std::uint32_t memory : graph.memories[call])
            if (graph.memoryBytes[memory] > 0)
                return StretchWeight::Unit::memories;
    const bool hasResults = std::any_of(graph.bytes.begin(), graph.bytes.begin() + graph.callCount, [](auto b) { return b > 0; });
    return hasResults ? StretchWeight::Unit::results : StretchWeight::Unit::calls;
}

bool sumsFit(const CutGraph& graph)
{
    double sum = 0;
    for (const std::uint64_t bytes : graph.memoryBytes)
        sum += static_cast<double>(bytes);
    for (const std::uint64_t bytes : graph.bytes)
        sum += static_cast<double>(bytes);
    return sum < 9e18;
}

/// The possible stage boundaries with the weights between them.
class BoundaryStages {
public:
    BoundaryStages(const ModelSequence& sequence, StretchWeight::Unit unit, std::vector<std::uint32_t> places)
        : m_sequence(sequence), m_unit(unit), m_places(std::move(places)), m_furthest(m_places.size()), m_need(m_places.size())
    {
        StretchWeight weight(*sequence.graph, unit);
        m_before.push_back(0);
        for (std::size_t i = 0; i + 1 < m_places.size(); ++i) {
            for (std::uint32_t call = m_places[i]; call < m_places[i + 1]; ++call)
                weight.add(call);
            m_before.push_back(weight.total());
        }
    }

    /// Returns the ends of all stages, including the last one. Fails with ErrorCode::cancelled.
    Result<std::vector<std::uint32_t>> ends(std::uint32_t count, ProgressMonitor& monitor)
    {
        std::uint64_t low = 0;
        std::uint64_t high = m_before.back();
        while (low < high) {
            SUNDER_PROPAGATE(monitor.check());
            const std::uint64_t middle = low + (high - low) / 2;
            if (walk(middle) <= count)
                high = middle;
            else
                low = middle + 1;
        }
        walk(high);
        return evenEnds(count);
    }

private:
    static constexpr std::uint32_t kNever = 0xffffffffU;

    /// Returns the number of stages of at most this weight, from each place on; kNever if a single stretch weighs more.
    std::uint32_t walk(std::uint64_t most)
    {
        StretchWeight weight(*m_sequence.graph, m_unit);
        const std::size_t last = m_places.size() - 1;
        std::uint32_t end = 0; // calls before this one are included
        std::size_t far = 0;
        for (std::size_t i = 0; i < last; ++i) {
            for (bool shouldContinue = true; shouldContinue && far < last;) {
                for (; end < m_places[far + 1]; ++end)
                    weight.add(end);
                shouldContinue = weight.total() <= most;
                far += shouldContinue ? 1 : 0;
            }
            m_furthest[i] = std::max(far, i);
            for (std::uint32_t call = m_places[i]; call < m_places[i + 1]; ++call)
                weight.remove(call);
            far = std::max(far, i + 1);
        }
        m_need[last] = 0;
        for (std::size_t i = last; i-- > 0;)
            m_need[i] = m_furthest[i] == i || m_need[m_furthest[i]] == kNever ? kNever : m_need[m_furthest[i]] + 1;
        return m_need[0];
    }

    /// Among the cuts that the last walk allows, returns a balanced one: each stage ends as close as possible to its share of the
    /// rest.
    [[nodiscard]] std::vector<std::uint32_t> evenEnds(std::uint32_t count) const
    {
        std::vector<std::uint32_t> ends;
        const std::size_t last = m_places.size() - 1;
        std::size_t at = 0;
        for (std::uint32_t left = count; left > 1; --left) {
            const std::size_t most = std::min(m_furthest[at], last - (left - 1));
            std::size_t least = at + 1;
            while (least < most && m_need[least] > left - 1)
                ++least;
            const std::uint64_t wanted = m_before[at] + (m_before[last] - m_before[at]) / left;
            std::size_t end = least;
            while (end < most && m_before[end] < wanted)
                ++end;
            if (end > least && m_before[end] > wanted && wanted - m_before[end - 1] <= m_before[end] - wanted)
                --end;
            ends.push_back(m_places[end]);
            at = end;
        }
        ends.push_back(m_places[last]);
        return ends;
    }

    const ModelSequence& m_sequence;
    StretchWeight::Unit m_unit;
    std::vector<std::uint32_t> m_places;
    std::vector<std::uint64_t> m_before; ///< per place: total weight before it
    std::vector<std::size_t> m_furthest; ///< per place: the latest end of a stage that begins there
    std::vector<std::uint32_t> m_need;
};

std::vector<std::uint32_t> bordersOf(const ModelSequence& sequence, std::uint8_t depth)
{
    std::vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place <= sequence.callCount(); ++place)
        if (sequence.isBorder(place, depth))
            places.push_back(place);
    return places;
}

} // namespace

std::uint8_t depthWithBorders(const ModelSequence& sequence, std::uint32_t borders)
{
    for (std::uint8_t depth = sequence.coarseDepth; depth < sequence.deepest; ++depth)
        if (bordersOf(sequence, depth).size() >= std::size_t{borders} + 2)
            return depth;
    return std::max<std::uint8_t>(1, sequence.deepest);
}

Result<TagAssignment> stagesAtBorders(const ModelSequence& sequence, std::uint32_t count, StageMeasure measure,
                                      std::uint8_t depth, ProgressMonitor& monitor)
{
    std::vector<std::uint32_t> places = bordersOf(sequence, depth);
    const std::size_t stretches = sequence.callCount() == 0 ? 0 : places.size() - 1;
    if (count == 0 || count > stretches)
        return fail(ErrorCode::refused,
                    "at depth " + std::to_string(depth) + ", module boundaries allow "
                        + (stretches > 1 ? "1 to " + std::to_string(stretches) + " stages" : std::string("only 1 stage"))
                        + ", not " + std::to_string(count)
                        + (depth < sequence.deepest ? "; the maximum depth is " + std::to_string(sequence.deepest) : ""));
    if (!sumsFit(*sequence.graph))
        return fail(ErrorCode::refused,
                    "the sizes in the file add up to more than 64 bits, so stages cannot be balanced by size");
    SUNDER_TRY(const std::vector<std::uint32_t> ends,
               BoundaryStages(sequence, unitOf(sequence, measure), std::move(places)).ends(count, monitor));
    TagAssignment tags{.order = {}, .tagOf = std::vector<std::int32_t>(sequence.graph->valueOf.size(), TagAssignment::kUntagged)};
    std::uint32_t call = 0;
    for (const std::uint32_t end : ends) {
        const auto stage = static_cast<std::int32_t>(tags.order.size());
        tags.order.push_back(intern("stage" + std::to_string(stage)));
        for (; call < end; ++call)
            tags.tagOf[sequence.graph->nodes[call].index()] = stage;
    }
    return tags;
}

} // namespace sunder
