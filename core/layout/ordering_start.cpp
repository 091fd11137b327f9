#include "layout/ordering_start.h"

#include "layout/ordering.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::layered {

namespace {

/// Segments below each vertex, heaviest tail first.
std::vector<Index> heaviestFirst(const Layering& layering, const std::vector<double>& tail, bool lastOfEqualsFirst)
{
    std::vector<Index> sorted(layering.segments.size());
    std::iota(sorted.begin(), sorted.end(), Index{0});
    const auto gain = [&](Index s) {
        return chainGain(layering, layering.segments[s]) + tail[layering.segments[s].lower];
    };
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        if (layering.downStart[v + 1] - layering.downStart[v] < 2)
            continue;
        std::sort(sorted.begin() + layering.downStart[v], sorted.begin() + layering.downStart[v + 1],
                  [&](Index a, Index b) {
                      const double gainA = gain(a);
                      const double gainB = gain(b);
                      if (gainA != gainB)
                          return gainA > gainB;
                      return lastOfEqualsFirst ? a > b : a < b;
                  });
    }
    return sorted;
}

std::vector<Index> sources(const Layering& layering, const std::vector<double>& tail, bool lastOfEqualsFirst)
{
    std::vector<Index> found;
    for (Index v = 0; v < layering.vertexCount(); ++v) {
        if (layering.upStart[v] == layering.upStart[v + 1])
            found.push_back(v);
    }
    if (lastOfEqualsFirst)
        std::reverse(found.begin(), found.end());
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) { return tail[a] > tail[b]; });
    return found;
}

} // namespace

void orderBySearch(Layering& layering, const std::vector<double>& tail, bool lanesLeft)
{
    const std::vector<Index> below = heaviestFirst(layering, tail, lanesLeft);
    std::vector<Index> next(layering.downStart.begin(), layering.downStart.end() - 1);
    std::vector<Index> filled(layering.rankStart.begin(), layering.rankStart.end() - 1);
    std::vector<bool> seen(layering.vertexCount(), false);
    std::vector<Index> stack;
    const auto visit = [&](Index v) {
        seen[v] = true;
        layering.order[filled[layering.rankOf[v]]++] = v;
        stack.push_back(v);
    };
    for (const Index source : sources(layering, tail, lanesLeft)) {
        visit(source);
        while (!stack.empty()) {
            const Index v = stack.back();
            if (next[v] == layering.downStart[v + 1]) {
                stack.pop_back();
                continue;
            }
            const Index lower = layering.segments[below[next[v]++]].lower;
            if (!seen[lower])
                visit(lower);
        }
    }
    if (lanesLeft) {
        for (Index r = 0; r < layering.rankCount(); ++r)
            std::reverse(layering.order.begin() + layering.rankStart[r],
                         layering.order.begin() + layering.rankStart[r + 1]);
    }
    indexPositions(layering);
}

void orderByIndex(Layering& layering, bool lanesLeft)
{
    for (Index r = 0; r < layering.rankCount(); ++r) {
        const auto first = layering.order.begin() + layering.rankStart[r];
        const auto last = layering.order.begin() + layering.rankStart[r + 1];
        std::sort(first, last);
        const auto lanes = std::find_if(first, last, [&](Index v) { return layering.isDummy(v); });
        if (lanesLeft)
            std::rotate(first, lanes, last);
        else
            std::reverse(lanes, last);
    }
    indexPositions(layering);
}

void orderByPreviousX(Layering& layering, const std::vector<float>& previousX)
{
    std::vector<float> x(layering.vertexCount(), 0);
    std::vector<bool> known(layering.vertexCount(), false);
    for (Index box = 0; box < layering.boxCount; ++box) {
        known[box] = std::isfinite(previousX[box]);
        x[box] = known[box] ? previousX[box] : 0;
    }
    // Down: from the vertices above; up, for those that hang on nothing known above: from those below.
    const auto takeMean = [&](Index v, bool above) {
        if (known[v])
            return;
        double sum = 0;
        Index count = 0;
        const Index first = above ? layering.upStart[v] : layering.downStart[v];
        const Index last = above ? layering.upStart[v + 1] : layering.downStart[v + 1];
        for (Index i = first; i < last; ++i) {
            const Segment& s = layering.segments[above ? layering.upSegments[i] : i];
            const Index other = above ? s.upper : s.lower;
            if (known[other]) {
                sum += double{x[other]};
                ++count;
            }
        }
        if (count > 0) {
            x[v] = static_cast<float>(sum / count);
            known[v] = true;
        }
    };
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i)
            takeMean(layering.order[i], true);
    }
    for (Index r = layering.rankCount(); r-- > 0;) {
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i)
            takeMean(layering.order[i], false);
    }
    for (Index r = 0; r < layering.rankCount(); ++r)
        std::stable_sort(layering.order.begin() + layering.rankStart[r],
                         layering.order.begin() + layering.rankStart[r + 1],
                         [&](Index a, Index b) { return x[a] < x[b]; });
    indexPositions(layering);
}

} // namespace sunder::layered
