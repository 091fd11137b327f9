#include "layout/ordering.h"

#include "layout/ordering_crossings.h"
#include "layout/ordering_sweeps.h"
#include "layout/ordering_start.h"

#include <algorithm>

namespace sunder::layered {

namespace {

constexpr std::uint64_t kSweepWork = 3'000'000; ///< segments visited over all rounds, about
constexpr std::uint64_t kMostRounds = 24;
constexpr std::uint64_t kFixedStarts = 3;
constexpr std::uint64_t kMostStarts = 12;
constexpr std::uint64_t kRandomWork = 400; ///< segments over all random starts
constexpr int kPatience = 4; ///< rounds without a better order before giving up

struct Best {
    std::uint64_t crossings = ~std::uint64_t{0};
    std::vector<Index> order;
};

bool improve(Layering& layering, std::uint64_t rounds, Best& best, ProgressMonitor& monitor)
{
    CrossingCounter counter;
    Sweeper sweeper(layering);
    int idle = 0;
    for (std::uint64_t round = 0; round <= rounds && idle < kPatience; ++round) {
        const std::uint64_t crossings = counter.total(layering);
        ++idle;
        if (crossings < best.crossings) {
            best = {crossings, layering.order};
            idle = 0;
        }
        if (best.crossings == 0 || round == rounds)
            break;
        for (const bool down : {true, false}) {
            if (!sweeper.sweep(down, round % 2 == 1, monitor))
                return false;
        }
        if (!sweeper.exchange(monitor))
            return false;
        if (rounds == kMostRounds && !sweeper.sift(monitor))
            return false;
    }
    return true;
}

/// Improves several starts, more of them the smaller the graph. An earlier one wins over one that is as good.
bool tryStarts(Layering& layering, const OrderingOptions& options, std::uint64_t rounds, Best& best,
               ProgressMonitor& monitor)
{
    const std::vector<double> tail = tailWeights(layering);
    const std::uint64_t starts = rounds < kMostRounds ? 1 : kFixedStarts + kRandomWork / (layering.segments.size() + 1);
    for (std::uint64_t start = 0; start < std::min(starts, kMostStarts) && best.crossings > 0; ++start) {
        if (start == 0)
            orderBySearch(layering, tail, options.lanesLeft);
        else if (start == 1)
            orderBySearchBothWays(layering, tail, options.lanesLeft);
        else if (start == 2)
            orderByIndex(layering, options.lanesLeft);
        else
            orderAtRandom(layering, start);
        if (!improve(layering, rounds, best, monitor))
            return false;
    }
    return true;
}

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
    const std::uint64_t work = layering.segments.size() + layering.vertexCount() + 1;
    const std::uint64_t rounds = std::clamp<std::uint64_t>(kSweepWork / work, 2, kMostRounds);
    Best best;
    if (!options.previousX.empty()) {
        orderByPreviousX(layering, options.previousX);
        if (!improve(layering, std::min<std::uint64_t>(rounds, 4), best, monitor))
            return false;
    } else if (!tryStarts(layering, options, rounds, best, monitor))
        return false;
    layering.order = std::move(best.order);
    indexPositions(layering);
    return true;
}

} // namespace sunder::layered
