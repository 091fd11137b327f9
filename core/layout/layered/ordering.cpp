#include "layout/layered/ordering.h"

#include "layout/layered/ordering_crossings.h"
#include "layout/layered/ordering_program.h"
#include "layout/layered/ordering_start.h"
#include "layout/layered/ordering_sweeps.h"

#include <algorithm>

namespace sunder::layered {

namespace {

constexpr std::uint64_t kWork = 1'400'000; ///< minimum number of compared vertex pairs for a whole graph …
/// … up to this many segments; decreases beyond, because saved crossings become invisible
constexpr std::uint64_t kFewSegments = 3'000;
constexpr std::uint64_t kWorkPerSegment = 5;
constexpr std::uint64_t kSegmentsSwept = 250'000; ///< total over all rounds of one start
constexpr std::uint64_t kMinRounds = 3;
constexpr std::uint64_t kMaxRounds = 24;
constexpr int kPatience = 6; ///< rounds without improvement before giving up
constexpr int kPatienceWithFormer = 1;
constexpr std::uint64_t kMaxStarts = 12;
constexpr std::uint64_t kVisitsPerVertex = 24; ///< for putting branches into execution order
constexpr std::uint64_t kMinVisits = 20'000;

/// Improves orders within a work budget and keeps the best one.
class OrderSearch {
public:
    OrderSearch(Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor)
        : m_layering(layering), m_monitor(monitor), m_budget(budgetOf(options.share, layering.segments.size()))
    {
    }

    /// Tries several starting orders while the budget lasts. The earliest of equally good results wins.
    bool tryStarts()
    {
        const std::vector<double> tail = tailWeights(m_layering);
        for (std::uint64_t start = 0; start < kMaxStarts; ++start) {
            if (m_monitor.isCancelled())
                return false;
            if (start == 0)
                orderBySearch(m_layering, tail);
            else if (start == 1)
                orderBySearchBothWays(m_layering, tail);
            else if (start == 2)
                orderByIndex(m_layering);
            else
                orderAtRandom(m_layering, start);
            if (!improve(kPatience))
                return false;
            if (m_crossings == 0 || m_work > m_budget)
                break;
        }
        return true;
    }

    /// Improves the current order of the layering. False when cancelled.
    bool improve(int patience)
    {
        Sweeper sweeper(m_layering, m_budget - std::min(m_budget, m_work));
        int idle = 0;
        const std::uint64_t rounds = std::clamp(kSegmentsSwept / (m_layering.segments.size() + 1), kMinRounds, kMaxRounds);
        for (std::uint64_t round = 0; round <= rounds; ++round) {
            const std::uint64_t crossings = m_counter.total(m_layering);
            if (m_monitor.isCancelled())
                return false;
            m_monitor.report(static_cast<double>(round) / static_cast<double>(rounds), "Placing");
            idle = crossings < m_crossings ? 0 : idle + 1;
            if (crossings < m_crossings) {
                m_crossings = crossings;
                m_order = m_layering.order;
            }
            if (m_crossings == 0 || idle >= patience || round == rounds)
                break;
            const bool reverseEquals = round % 2 == 1;
            if (!sweeper.sweep(true, reverseEquals, m_monitor) || !sweeper.sweep(false, reverseEquals, m_monitor)
                || !sweeper.exchange(m_monitor) || !sweeper.sift(m_monitor))
                return false;
        }
        m_work += sweeper.work();
        return true;
    }

    static std::uint64_t budgetOf(float share, std::uint64_t segments)
    {
        const double whole = double{kWork} * double{kFewSegments} / static_cast<double>(std::max(segments, kFewSegments));
        return static_cast<std::uint64_t>(double{share} * whole) + kWorkPerSegment * segments;
    }

    void takeBest()
    {
        m_layering.order = std::move(m_order);
        indexPositions(m_layering);
    }

private:
    Layering& m_layering;
    ProgressMonitor& m_monitor;
    std::uint64_t m_budget;
    std::uint64_t m_work = 0;
    std::uint64_t m_crossings = ~std::uint64_t{0};
    std::vector<Index> m_order;
    CrossingCounter m_counter;
};

} // namespace

std::vector<double> tailWeights(const Layering& layering)
{
    std::vector<double> tail(layering.vertexCount(), 0);
    for (Index r = layering.rankCount(); r-- > 0;) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i) {
            const Index v = layering.order[i];
            for (Index k = layering.downStart[v]; k < layering.downStart[v + 1]; ++k) {
                const Segment& s = layering.segments[k];
                tail[v] = std::max(tail[v], chainGain(layering, s) + tail[s.lower]);
            }
        }
    }
    return tail;
}

bool orderRanks(Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor)
{
    OrderSearch search(layering, options, monitor);
    if (!options.previousX.empty()) {
        orderByPreviousX(layering, options.previousX);
        if (!search.improve(kPatienceWithFormer))
            return false;
    } else if (!search.tryStarts())
        return false;
    search.takeBest();
    return preferProgramOrder(layering, std::max(kMinVisits, kVisitsPerVertex * layering.vertexCount()), monitor);
}

} // namespace sunder::layered
