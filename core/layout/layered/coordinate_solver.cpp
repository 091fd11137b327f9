#include "layout/layered/coordinate_solver.h"

#include "layout/layered/ordering.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::layered {

namespace {

/// Returns the middle candidate by position.
Index middleOf(const Layering& layering, std::vector<Index>& candidates)
{
    std::sort(candidates.begin(), candidates.end(),
              [&](Index a, Index b) { return layering.position[a] < layering.position[b]; });
    return candidates[(candidates.size() - 1) / 2];
}

bool isEqualWeight(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// A segment that may be straightened, with its sort criteria.
struct Candidate {
    Index segment;
    int rank; ///< 0: main path, 1: lane, 2: other
    float weight;
    Index offMiddle; ///< twice the distance from the middle of the fans at both ends
};

class Aligner {
public:
    explicit Aligner(const Layering& layering, const std::vector<Index>& path)
        : m_layering(layering), m_above(layering.vertexCount(), kNone), m_below(layering.vertexCount(), kNone),
          m_isMain(layering.vertexCount(), false)
    {
        for (const Index v : path)
            m_isMain[v] = true;
    }

    void alignGap(Index rank)
    {
        collect(rank);
        m_accepted.clear();
        for (const Candidate& candidate : m_candidates)
            tryAlign(m_layering.segments[candidate.segment]);
    }

    [[nodiscard]] Index above(Index vertex) const { return m_above[vertex]; }

private:
    void collect(Index rank)
    {
        m_candidates.clear();
        for (Index i = m_layering.rankStart[rank]; i < m_layering.rankStart[rank + 1]; ++i) {
            const Index v = m_layering.order[i];
            for (Index s = m_layering.downStart[v]; s < m_layering.downStart[v + 1]; ++s)
                m_candidates.push_back(candidateOf(s));
        }
        std::sort(m_candidates.begin(), m_candidates.end(), [&](const Candidate& a, const Candidate& b) {
            if (a.rank != b.rank)
                return a.rank < b.rank;
            if (a.weight != b.weight)
                return a.weight > b.weight;
            return a.offMiddle != b.offMiddle ? a.offMiddle < b.offMiddle : a.segment < b.segment;
        });
    }

    [[nodiscard]] Candidate candidateOf(Index s) const
    {
        const Segment& segment = m_layering.segments[s];
        const bool isMain = m_isMain[segment.upper] && m_isMain[segment.lower];
        const bool isLane = m_layering.isDummy(segment.upper) && m_layering.isDummy(segment.lower);
        return {s, isMain ? 0 : (isLane ? 1 : 2), segment.weight, offMiddle(segment)};
    }

    /// Difference between the numbers of fan segments on both sides of this segment, summed over both ends.
    [[nodiscard]] Index offMiddle(const Segment& segment) const
    {
        int down = 0;
        for (Index s = m_layering.downStart[segment.upper]; s < m_layering.downStart[segment.upper + 1]; ++s)
            down += compare(m_layering.segments[s].lower, segment.lower);
        int up = 0;
        for (Index i = m_layering.upStart[segment.lower]; i < m_layering.upStart[segment.lower + 1]; ++i)
            up += compare(m_layering.segments[m_layering.upSegments[i]].upper, segment.upper);
        return static_cast<Index>(std::abs(down) + std::abs(up));
    }

    [[nodiscard]] int compare(Index a, Index b) const
    {
        return (m_layering.position[a] > m_layering.position[b]) - (m_layering.position[a] < m_layering.position[b]);
    }

    void tryAlign(const Segment& segment)
    {
        if (m_below[segment.upper] != kNone || m_above[segment.lower] != kNone)
            return;
        const std::pair<Index, Index> ends{m_layering.position[segment.upper], m_layering.position[segment.lower]};
        const auto right = std::lower_bound(m_accepted.begin(), m_accepted.end(), ends);
        if (right != m_accepted.end() && right->second < ends.second)
            return;
        if (right != m_accepted.begin() && std::prev(right)->second > ends.second)
            return;
        m_accepted.insert(right, ends);
        m_below[segment.upper] = segment.lower;
        m_above[segment.lower] = segment.upper;
    }

    const Layering& m_layering;
    std::vector<Index> m_above;
    std::vector<Index> m_below;
    std::vector<bool> m_isMain;
    std::vector<Candidate> m_candidates;
    std::vector<std::pair<Index, Index>> m_accepted; ///< positions of straight segments of this gap, sorted
};

} // namespace

std::vector<Index> mainPath(const Layering& layering)
{
    const std::vector<double> tail = tailWeights(layering);
    double heaviest = 0;
    for (Index box = 0; box < layering.boxCount; ++box)
        heaviest = std::max(heaviest, tail[box]);
    std::vector<Index> candidates;
    for (Index box = 0; box < layering.boxCount; ++box) {
        if (isEqualWeight(tail[box], heaviest))
            candidates.push_back(box);
    }
    std::vector<Index> path;
    while (!candidates.empty()) {
        const Index v = middleOf(layering, candidates);
        path.push_back(v);
        candidates.clear();
        for (Index s = layering.downStart[v]; s < layering.downStart[v + 1]; ++s) {
            const Segment& segment = layering.segments[s];
            if (isEqualWeight(chainGain(layering, segment) + tail[segment.lower], tail[v]))
                candidates.push_back(segment.lower);
        }
    }
    return path;
}

Blocks alignBlocks(const Layering& layering, const std::vector<Index>& mainPath)
{
    Aligner aligner(layering, mainPath);
    for (Index r = 0; r + 1 < layering.rankCount(); ++r)
        aligner.alignGap(r);
    Blocks blocks;
    blocks.blockOf.resize(layering.vertexCount());
    for (Index i = 0; i < layering.order.size(); ++i) {
        const Index v = layering.order[i];
        blocks.blockOf[v] = aligner.above(v) == kNone ? blocks.count++ : blocks.blockOf[aligner.above(v)];
    }
    if (!mainPath.empty())
        blocks.mainBlock = blocks.blockOf[mainPath.front()];
    return blocks;
}

namespace {

constexpr double kTolerance = 1e-7;
constexpr std::size_t kVariablesBetweenAsks = 4'096; ///< variables between cancellation checks

/// Separations grouped by their right variable.
struct Incoming {
    std::vector<Index> start;
    std::vector<Index> separation;
};

Incoming incomingOf(Index count, const std::vector<Separation>& separations)
{
    Incoming in;
    in.start.assign(count + 1, 0);
    for (const Separation& s : separations)
        ++in.start[s.right + 1];
    std::partial_sum(in.start.begin(), in.start.end(), in.start.begin());
    std::vector<Index> next(in.start.begin(), in.start.end() - 1);
    in.separation.resize(separations.size());
    for (Index i = 0; i < separations.size(); ++i)
        in.separation[next[separations[i].right]++] = i;
    return in;
}

/// One pass from left to right. Placed variables only move left, so a heap key never underestimates and can be corrected when it
/// reaches the top.
class Sweep {
public:
    Sweep(Index count, const std::vector<Separation>& separations, std::span<const double> wish, std::span<const double> weight)
        : m_separations(separations), m_incoming(incomingOf(count, separations)), m_clusterOf(count), m_offset(count, 0),
          m_clusters(count)
    {
        std::iota(m_clusterOf.begin(), m_clusterOf.end(), Index{0});
        for (Index v = 0; v < count; ++v)
            m_clusters[v] = {wish[v], weight[v], weight[v] * wish[v], {}, {}};
    }

    void add(Index v)
    {
        Cluster& own = m_clusters[v];
        own.members.push_back(v);
        for (Index i = m_incoming.start[v]; i < m_incoming.start[v + 1]; ++i)
            own.heap.push_back(keyed(m_incoming.separation[i]));
        std::make_heap(own.heap.begin(), own.heap.end());
        Index cluster = v;
        while (!m_clusters[cluster].heap.empty()) {
            Cluster& here = m_clusters[cluster];
            const Key top = here.heap.front();
            const Separation& s = m_separations[top.separation];
            const Key now = keyed(top.separation);
            if (m_clusterOf[s.left] != cluster && now.position >= top.position - kTolerance) {
                if (now.position <= here.position + kTolerance)
                    break;
                cluster = merge(cluster, top.separation);
                continue;
            }
            std::pop_heap(here.heap.begin(), here.heap.end());
            here.heap.pop_back();
            if (m_clusterOf[s.left] != cluster) {
                here.heap.push_back(now);
                std::push_heap(here.heap.begin(), here.heap.end());
            }
        }
    }

    [[nodiscard]] double positionOf(Index v) const { return m_clusters[m_clusterOf[v]].position + m_offset[v]; }

private:
    struct Key {
        double position;  ///< minimum position of the cluster for this separation
        Index separation;
        bool operator<(const Key& other) const
        {
            return position != other.position ? position < other.position : separation > other.separation;
        }
    };
    struct Cluster {
        double position = 0;
        double weight = 0;
        double pull = 0; ///< sum of weight × desired position over the cluster
        std::vector<Index> members;
        std::vector<Key> heap;
    };

    [[nodiscard]] Key keyed(Index separation) const
    {
        const Separation& s = m_separations[separation];
        return {positionOf(s.left) + s.gap - m_offset[s.right], separation};
    }

    /// Merges the clusters at both ends of a separation, which becomes tight. Returns the merged cluster.
    Index merge(Index right, Index separation)
    {
        const Separation& s = m_separations[separation];
        const Index left = m_clusterOf[s.left];
        // Origin of the left cluster, relative to that of the right one.
        const double shift = m_offset[s.right] - s.gap - m_offset[s.left];
        const bool keepRight = sizeOf(right) >= sizeOf(left);
        const Index kept = keepRight ? right : left;
        const Index gone = keepRight ? left : right;
        absorb(m_clusters[kept], kept, m_clusters[gone], keepRight ? shift : -shift);
        return kept;
    }

    [[nodiscard]] std::size_t sizeOf(Index cluster) const
    {
        return m_clusters[cluster].members.size() + m_clusters[cluster].heap.size();
    }

    void absorb(Cluster& into, Index intoId, Cluster& from, double shift)
    {
        for (const Index v : from.members) {
            m_offset[v] += shift;
            m_clusterOf[v] = intoId;
            into.members.push_back(v);
        }
        into.weight += from.weight;
        into.pull += from.pull - from.weight * shift;
        into.position = into.pull / into.weight;
        for (const Key& key : from.heap) {
            into.heap.push_back({key.position - shift, key.separation});
            std::push_heap(into.heap.begin(), into.heap.end());
        }
        from.members = {};
        from.heap = {};
    }

    const std::vector<Separation>& m_separations;
    Incoming m_incoming;
    std::vector<Index> m_clusterOf;
    std::vector<double> m_offset; ///< per variable: offset from the position of its cluster
    std::vector<Cluster> m_clusters;
};

std::vector<Index> leftToRight(Index count, const std::vector<Separation>& separations)
{
    std::vector<Index> missing(count, 0);
    std::vector<Index> start(count + 1, 0);
    for (const Separation& s : separations) {
        ++missing[s.right];
        ++start[s.left + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Index> next(start.begin(), start.end() - 1);
    std::vector<Index> right(separations.size());
    for (const Separation& s : separations)
        right[next[s.left]++] = s.right;
    std::vector<Index> order;
    order.reserve(count);
    for (Index v = 0; v < count; ++v) {
        if (missing[v] == 0)
            order.push_back(v);
    }
    for (std::size_t done = 0; done < order.size(); ++done) {
        for (Index i = start[order[done]]; i < start[order[done] + 1]; ++i) {
            if (--missing[right[i]] == 0)
                order.push_back(right[i]);
        }
    }
    return order;
}

} // namespace

SeparationSolver::SeparationSolver(Index count, std::vector<Separation> separations)
    : m_count(count), m_separations(std::move(separations))
{
    std::sort(m_separations.begin(), m_separations.end(), [](const Separation& a, const Separation& b) {
        if (a.left != b.left)
            return a.left < b.left;
        return a.right != b.right ? a.right < b.right : a.gap > b.gap;
    });
    const auto samePair = [](const Separation& a, const Separation& b) { return a.left == b.left && a.right == b.right; };
    m_separations.erase(std::unique(m_separations.begin(), m_separations.end(), samePair), m_separations.end());
    m_order = leftToRight(count, m_separations);
}

Result<std::vector<double>> SeparationSolver::place(std::span<const double> wish, std::span<const double> weight,
                                                    ProgressMonitor& monitor) const
{
    std::size_t added = 0;
    const auto add = [&](Sweep& sweep, Index v) {
        sweep.add(v);
        return ++added % kVariablesBetweenAsks != 0 ? Result<void>() : monitor.check();
    };
    Sweep right(m_count, m_separations, wish, weight);
    for (const Index v : m_order)
        SUNDER_PROPAGATE(add(right, v));

    std::vector<Separation> mirrored = m_separations;
    for (Separation& s : mirrored)
        std::swap(s.left, s.right);
    std::vector<double> mirroredWish(wish.begin(), wish.end());
    for (double& x : mirroredWish)
        x = -x;
    Sweep left(m_count, mirrored, mirroredWish, weight);
    for (auto it = m_order.rbegin(); it != m_order.rend(); ++it)
        SUNDER_PROPAGATE(add(left, *it));

    std::vector<double> x(m_count);
    for (Index v = 0; v < m_count; ++v)
        x[v] = (right.positionOf(v) - left.positionOf(v)) / 2;
    return x;
}

} // namespace sunder::layered
