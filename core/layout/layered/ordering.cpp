#include "layout/layered/ordering.h"

#include "layout/layered/layered_lanes.h"
#include "layout/layered/ordering_program.h"
#include "layout/layered/ordering_sweeps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::layered {
namespace {

/// Returns the segments below each vertex, heaviest tail first; equal ones in reverse order.
std::vector<Index> heaviestFirst(const Layering& layering, const std::vector<double>& tail)
{
    std::vector<Index> sorted(layering.segments.size());
    std::iota(sorted.begin(), sorted.end(), Index{0});
    const auto gain = [&](Index s) { return chainGain(layering, layering.segments[s]) + tail[layering.segments[s].lower]; };
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        if (layering.downStart[v + 1] - layering.downStart[v] < 2)
            continue;
        std::sort(sorted.begin() + layering.downStart[v], sorted.begin() + layering.downStart[v + 1], [&](Index a, Index b) {
            const double gainA = gain(a);
            const double gainB = gain(b);
            if (gainA != gainB)
                return gainA > gainB;
            return a > b;
        });
    }
    return sorted;
}

/// Returns the sources, heaviest tail first; equal ones in reverse order.
std::vector<Index> sources(const Layering& layering, const std::vector<double>& tail)
{
    std::vector<Index> found;
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        if (layering.upStart[v] == layering.upStart[v + 1])
            found.push_back(v);
    }
    std::reverse(found.begin(), found.end());
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) { return tail[a] > tail[b]; });
    return found;
}

void mirror(Layering& layering)
{
    for (Index r = 0; r < layering.rankCount(); ++r)
        std::reverse(layering.order.begin() + layering.rankStart[r], layering.order.begin() + layering.rankStart[r + 1]);
}

/// Places vertices in the order of a depth-first search.
class Search {
public:
    Search(Layering& layering, const std::vector<double>& tail, bool goesUp)
        : m_layering(layering), m_below(heaviestFirst(layering, tail)), m_goesUp(goesUp), m_next(layering.vertexCount(), 0),
          m_filled(layering.rankStart.begin(), layering.rankStart.end() - 1), m_seen(layering.vertexCount(), false)
    {
    }

    void from(Index root)
    {
        visit(root);
        while (!m_stack.empty()) {
            const Index neighbor = nextOf(m_stack.back());
            if (neighbor == kNone)
                m_stack.pop_back();
            else
                visit(neighbor);
        }
    }

    [[nodiscard]] const std::vector<bool>& seen() const { return m_seen; }

private:
    void visit(Index v)
    {
        if (m_seen[v])
            return;
        m_seen[v] = true;
        m_layering.order[m_filled[m_layering.rankOf[v]]++] = v;
        m_stack.push_back(v);
    }

    /// Returns the next neighbor to visit: first those below, then those above if the search is undirected.
    Index nextOf(Index v)
    {
        const Index below = m_layering.downStart[v + 1] - m_layering.downStart[v];
        const Index above = m_goesUp ? m_layering.upStart[v + 1] - m_layering.upStart[v] : 0;
        const Index next = m_next[v]++;
        if (next < below)
            return m_layering.segments[m_below[m_layering.downStart[v] + next]].lower;
        if (next < below + above)
            return m_layering.segments[m_layering.upSegments[m_layering.upStart[v] + next - below]].upper;
        return kNone;
    }

    Layering& m_layering;
    std::vector<Index> m_below;
    bool m_goesUp;
    std::vector<Index> m_next;
    std::vector<Index> m_filled;
    std::vector<bool> m_seen;
    std::vector<Index> m_stack;
};

/// Moves vertices that only other sources reach to the side opposite the lanes of the heaviest source.
void orderBy(Search search, Layering& layering, const std::vector<double>& tail)
{
    std::vector<bool> isFirst;
    for (const Index source : sources(layering, tail)) {
        search.from(source);
        if (isFirst.empty())
            isFirst = search.seen();
    }
    for (Index r = 0; r < layering.rankCount(); ++r)
        std::stable_partition(layering.order.begin() + layering.rankStart[r], layering.order.begin() + layering.rankStart[r + 1],
                              [&](Index v) { return !isFirst[v]; });
    mirror(layering);
    indexPositions(layering);
}

/// Previous x of boxes; other vertices get theirs from neighbors.
class FormerPlaces {
public:
    FormerPlaces(const Layering& layering, const std::vector<float>& previousX)
        : m_layering(layering), m_x(layering.vertexCount(), 0), m_isKnown(layering.vertexCount(), false)
    {
        for (Index box = 0; box < layering.boxCount; ++box) {
            m_isKnown[box] = std::isfinite(previousX[box]);
            m_x[box] = m_isKnown[box] ? previousX[box] : 0;
        }
    }

    /// Gives a vertex without position the mean of its placed neighbors above or below.
    void takeMean(Index v, bool above)
    {
        if (m_isKnown[v])
            return;
        double sum = 0;
        Index count = 0;
        const Index last = above ? m_layering.upStart[v + 1] : m_layering.downStart[v + 1];
        for (Index i = above ? m_layering.upStart[v] : m_layering.downStart[v]; i < last; ++i) {
            const Segment& s = m_layering.segments[above ? m_layering.upSegments[i] : i];
            const Index other = above ? s.upper : s.lower;
            if (m_isKnown[other]) {
                sum += double{m_x[other]};
                ++count;
            }
        }
        if (count > 0) {
            m_x[v] = static_cast<float>(sum / count);
            m_isKnown[v] = true;
        }
    }

    [[nodiscard]] float x(Index v) const { return m_x[v]; }

private:
    const Layering& m_layering;
    std::vector<float> m_x;
    std::vector<bool> m_isKnown;
};

/// Orders vertices by a depth-first search that follows the heaviest tail first (ties by index). Among the vertices that the
/// heaviest source reaches, the heaviest chain is rightmost, and its lanes are nested to its left.
void orderBySearch(Layering& layering, const std::vector<double>& tail)
{
    orderBy(Search(layering, tail, false), layering, tail);
}

/// The same, ignoring the direction of segments, so that connected vertices are side by side: a tree is drawn without crossings.
void orderBySearchBothWays(Layering& layering, const std::vector<double>& tail)
{
    orderBy(Search(layering, tail, true), layering, tail);
}

/// Orders each rank randomly; reproducible for the same seed.
void orderAtRandom(Layering& layering, std::uint64_t seed)
{
    // Knuth's MMIX generator, because the shuffles of the standard library differ between platforms.
    std::uint64_t state = seed;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.widthOf(r); i > 1; --i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            const auto other = static_cast<Index>((state >> 33) % i);
            std::swap(layering.order[layering.rankStart[r] + i - 1], layering.order[layering.rankStart[r] + other]);
        }
    }
    indexPositions(layering);
}

/// Places lanes first, those that start last closest to the boxes, then boxes in execution order.
void orderByIndex(Layering& layering)
{
    for (Index r = 0; r < layering.rankCount(); ++r) {
        const auto first = layering.order.begin() + layering.rankStart[r];
        const auto last = layering.order.begin() + layering.rankStart[r + 1];
        std::sort(first, last);
        const auto lanes = std::find_if(first, last, [&](Index v) { return layering.isDummy(v); });
        std::rotate(first, lanes, last);
    }
    indexPositions(layering);
}

/// Orders vertices by the previous x of boxes. New boxes and dummies are placed by their neighbors.
void orderByPreviousX(Layering& layering, const std::vector<float>& previousX)
{
    FormerPlaces former(layering, previousX);
    // First down, from neighbors above. Then up, for vertices without known neighbors above.
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i)
            former.takeMean(layering.order[i], true);
    }
    for (Index r = layering.rankCount(); r-- > 0;) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i)
            former.takeMean(layering.order[i], false);
    }
    for (Index r = 0; r < layering.rankCount(); ++r)
        std::stable_sort(layering.order.begin() + layering.rankStart[r], layering.order.begin() + layering.rankStart[r + 1],
                         [&](Index a, Index b) { return former.x(a) < former.x(b); });
    indexPositions(layering);
}

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
    Result<void> tryStarts()
    {
        const std::vector<double> tail = tailWeights(m_layering);
        for (std::uint64_t start = 0; start < kMaxStarts; ++start) {
            SUNDER_PROPAGATE(m_monitor.check());
            if (start == 0)
                orderBySearch(m_layering, tail);
            else if (start == 1)
                orderBySearchBothWays(m_layering, tail);
            else if (start == 2)
                orderByIndex(m_layering);
            else
                orderAtRandom(m_layering, start);
            SUNDER_PROPAGATE(improve(kPatience));
            if (m_crossings == 0 || m_work > m_budget)
                break;
        }
        return {};
    }

    /// Improves the current order of the layering.
    Result<void> improve(int patience)
    {
        Sweeper sweeper(m_layering, m_budget - std::min(m_budget, m_work));
        int idle = 0;
        const std::uint64_t rounds = std::clamp(kSegmentsSwept / (m_layering.segments.size() + 1), kMinRounds, kMaxRounds);
        for (std::uint64_t round = 0; round <= rounds; ++round) {
            const std::uint64_t crossings = m_counter.total(m_layering);
            SUNDER_PROPAGATE(m_monitor.check());
            m_monitor.report(static_cast<double>(round) / static_cast<double>(rounds), "Placing");
            idle = crossings < m_crossings ? 0 : idle + 1;
            if (crossings < m_crossings) {
                m_crossings = crossings;
                m_order = m_layering.order;
            }
            if (m_crossings == 0 || idle >= patience || round == rounds)
                break;
            const bool reverseEquals = round % 2 == 1;
            SUNDER_PROPAGATE(sweeper.sweep(true, reverseEquals, m_monitor));
            SUNDER_PROPAGATE(sweeper.sweep(false, reverseEquals, m_monitor));
            SUNDER_PROPAGATE(sweeper.exchange(m_monitor));
            SUNDER_PROPAGATE(sweeper.sift(m_monitor));
        }
        m_work += sweeper.work();
        return {};
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

Result<void> orderRanks(Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor)
{
    OrderSearch search(layering, options, monitor);
    if (!options.previousX.empty()) {
        orderByPreviousX(layering, options.previousX);
        SUNDER_PROPAGATE(search.improve(kPatienceWithFormer));
    } else {
        SUNDER_PROPAGATE(search.tryStarts());
    }
    search.takeBest();
    return preferProgramOrder(layering, std::max(kMinVisits, kVisitsPerVertex * layering.vertexCount()), monitor);
}

} // namespace sunder::layered
