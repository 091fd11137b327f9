#include "layout/layered/coordinate_x.h"

#include "layout/layered/coordinate_solver.h"
#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace sunder::layered {
namespace {

/// The space that a vertex needs on both sides of its center.
struct Extents {
    double left = 0;
    double right = 0; ///< each includes half of the gap to the neighbor
};

constexpr double kFixed = 1e9;
constexpr double kInertia = 1e-3; ///< weight of the current position
constexpr std::uint64_t kSegmentsPlaced = 4'000'000; ///< total over all sweeps
constexpr std::uint64_t kMinSweeps = 6;
constexpr std::uint64_t kMaxSweeps = 60;
constexpr double kFirstBlur = 2'000; ///< shorter lengths count squared; decreases with each sweep …
constexpr double kLastBlur = 4;      ///< … down to this value

/// Places vertices in sweeps over the ranks.
class RankPlacer {
public:
    RankPlacer(const Layering& layering, std::span<const Extents> extents, const std::vector<bool>& fixed)
        : m_layering(layering), m_extents(extents), m_fixed(fixed), m_x(layering.vertexCount(), 0)
    {
        for (Index r = 0; r < layering.rankCount(); ++r)
            pack(r);
    }

    /// One pass over all ranks.
    Result<void> sweep(bool down, bool bothSides, double blur, ProgressMonitor& monitor)
    {
        const Index count = m_layering.rankCount();
        for (Index i = 0; i < count; ++i) {
            if (i % 256 == 0)
                SUNDER_PROPAGATE(monitor.check());
            placeRank(down ? i : count - 1 - i, down || bothSides, !down || bothSides, blur);
        }
        return {};
    }

    std::vector<double> take() { return std::move(m_x); }

private:
    struct Pool {
        double sum = 0;
        double weight = 0;
        Index count = 0;
    };

    void pack(Index rank)
    {
        const Index start = m_layering.rankStart[rank];
        const Index end = m_layering.rankStart[rank + 1];
        double x = 0;
        double zero = 0;
        bool isFixed = false;
        for (Index i = start; i < end; ++i) {
            const Index v = m_layering.order[i];
            x += m_extents[v].left;
            m_x[v] = x;
            if (m_fixed[v]) {
                zero = x;
                isFixed = true;
            }
            x += m_extents[v].right;
        }
        for (Index i = start; i < end; ++i)
            m_x[m_layering.order[i]] -= isFixed ? zero : x / 2;
    }

    void placeRank(Index rank, bool byUpper, bool byLower, double blur)
    {
        m_pools.clear();
        const Index start = m_layering.rankStart[rank];
        const Index end = m_layering.rankStart[rank + 1];
        double offset = 0;
        m_offsets.clear();
        for (Index i = start; i < end; ++i) {
            const Index v = m_layering.order[i];
            offset += m_extents[v].left;
            m_offsets.push_back(offset);
            addPool(wishOf(v, byUpper, byLower, blur), offset);
            offset += m_extents[v].right;
        }
        Index i = start;
        for (const Pool& pool : m_pools) {
            for (Index k = 0; k < pool.count; ++k, ++i)
                m_x[m_layering.order[i]] = pool.sum / pool.weight + m_offsets[i - start];
        }
    }

    void addPool(Pool pool, double offset)
    {
        pool.sum -= pool.weight * offset;
        while (!m_pools.empty() && m_pools.back().sum * pool.weight > pool.sum * m_pools.back().weight) {
            pool.sum += m_pools.back().sum;
            pool.weight += m_pools.back().weight;
            pool.count += m_pools.back().count;
            m_pools.pop_back();
        }
        m_pools.push_back(pool);
    }

    [[nodiscard]] Pool wishOf(Index v, bool byUpper, bool byLower, double blur) const
    {
        Pool pool{m_fixed[v] ? 0 : kInertia * m_x[v] / blur, m_fixed[v] ? kFixed : kInertia / blur, 1};
        if (m_fixed[v])
            return pool;
        const auto add = [&](const Segment& s, Index other) {
            const double weight = double{s.weight} * m_layering.crossingCost(s) / std::hypot(m_x[v] - m_x[other], blur);
            pool.sum += weight * m_x[other];
            pool.weight += weight;
        };
        for (Index i = m_layering.upStart[v]; byUpper && i < m_layering.upStart[v + 1]; ++i) {
            const Segment& s = m_layering.segments[m_layering.upSegments[i]];
            add(s, s.upper);
        }
        for (Index i = m_layering.downStart[v]; byLower && i < m_layering.downStart[v + 1]; ++i)
            add(m_layering.segments[i], m_layering.segments[i].lower);
        return pool;
    }

    const Layering& m_layering;
    std::span<const Extents> m_extents;
    const std::vector<bool>& m_fixed;
    std::vector<double> m_x;
    std::vector<double> m_offsets;
    std::vector<Pool> m_pools;
};

/// Returns x of every vertex such that edges are short, without straightening. Each rank is placed optimally relative to its
/// neighboring ranks (isotonic regression by pooling adjacent violators), in alternating downward and upward sweeps. The first
/// sweeps minimize squared lengths, the later ones lengths, by reweighting. Vertices of `fixed` are at 0. O(segments) per sweep,
/// with a bounded number of sweeps. Empty when canceled.
Result<std::vector<double>> placeRankByRank(const Layering& layering, std::span<const Extents> extents,
                                            const std::vector<bool>& fixed, ProgressMonitor& monitor)
{
    RankPlacer placer(layering, extents, fixed);
    const std::uint64_t sweeps = std::clamp(kSegmentsPlaced / (layering.segments.size() + 1), kMinSweeps, kMaxSweeps) / 2 * 2;
    for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) {
        const double share = static_cast<double>(sweep) / static_cast<double>(sweeps - 1);
        const double blur = kFirstBlur * std::pow(kLastBlur / kFirstBlur, share);
        SUNDER_PROPAGATE(placer.sweep(sweep % 2 == 0, sweep >= 2, blur, monitor));
    }
    return placer.take();
}

constexpr double kMainWeight = 1e6;
constexpr double kMinWeight = 1e-3;
constexpr double kLaneStraightness = 8; ///< weight of a bend within a lane, relative to one at a box
constexpr Index kSmall = 4'000;         ///< maximum number of blocks for the full number of rounds
constexpr int kRounds = 12;
constexpr int kRoundsOfLarge = 3;
constexpr float kMarked = 2;
constexpr double kMuchAcross = 60;      ///< average horizontal length of segments that counts as long
constexpr double kMuchShorter = 0.8;    ///< relative length that justifies giving up straight lines

double leftExtent(const FlowGraph& graph, const Layering& layering, Index v)
{
    return layering.isDummy(v) ? 0 : double{graph.boxes[v].size.width} / 2 + double{graph.boxes[v].extraLeft};
}

double rightExtent(const FlowGraph& graph, const Layering& layering, Index v)
{
    return layering.isDummy(v) ? 0 : double{graph.boxes[v].size.width} / 2 + double{graph.boxes[v].extraRight};
}

bool isLine(const FlowGraph& graph, const Layering& layering, Index v)
{
    return layering.isDummy(v) || graph.boxes[v].size.width <= 0;
}

std::vector<Separation> separationsOf(const FlowGraph& graph, const Layering& layering, const Blocks& blocks,
                                      const LayoutOptions& options)
{
    std::vector<Separation> separations;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        for (Index i = layering.rankStart[r]; i + 1 < layering.rankStart[r + 1]; ++i) {
            const Index left = layering.order[i];
            const Index right = layering.order[i + 1];
            const double gap = double{isLine(graph, layering, left) || isLine(graph, layering, right) ? options.edgeGap
                                                                                                      : options.boxGap};
            separations.push_back({blocks.blockOf[left], blocks.blockOf[right],
                                   rightExtent(graph, layering, left) + gap + leftExtent(graph, layering, right)});
        }
    }
    return separations;
}

/// A segment that connects two blocks.
struct Pull {
    Index upper;
    Index lower;
    double weight;
};

std::vector<Pull> pullsOf(const Layering& layering, const Blocks& blocks)
{
    std::vector<Pull> pulls;
    for (const Segment& s : layering.segments) {
        const Index upper = blocks.blockOf[s.upper];
        const Index lower = blocks.blockOf[s.lower];
        if (upper == lower)
            continue;
        const bool isLane = layering.isDummy(s.upper) && layering.isDummy(s.lower);
        pulls.push_back({upper, lower, double{s.weight} * (isLane ? kLaneStraightness : 1)});
    }
    return pulls;
}

/// Returns the weighted mean position of each block's neighbors.
std::vector<double> wishesOf(const std::vector<Pull>& pulls, const std::vector<double>& weight, const std::vector<double>& x)
{
    std::vector<double> wish(x.size());
    for (std::size_t b = 0; b < x.size(); ++b)
        wish[b] = kMinWeight * x[b];
    for (const Pull& pull : pulls) {
        wish[pull.upper] += pull.weight * x[pull.lower];
        wish[pull.lower] += pull.weight * x[pull.upper];
    }
    for (std::size_t b = 0; b < x.size(); ++b)
        wish[b] /= weight[b];
    return wish;
}

/// Returns the space of each vertex, including its share of the gaps.
std::vector<Extents> extentsOf(const FlowGraph& graph, const Layering& layering, const LayoutOptions& options)
{
    std::vector<Extents> extents(layering.vertexCount());
    for (Index i = 0; i < layering.order.size(); ++i) {
        const Index v = layering.order[i];
        extents[v].left += leftExtent(graph, layering, v);
        extents[v].right += rightExtent(graph, layering, v);
        if (layering.position[v] == 0)
            continue;
        const Index before = layering.order[i - 1];
        const bool hasLine = isLine(graph, layering, before) || isLine(graph, layering, v);
        const double half = double{hasLine ? options.edgeGap : options.boxGap} / 2;
        extents[before].right += half;
        extents[v].left += half;
    }
    return extents;
}

/// Total horizontal length of all edges.
double lengthAcross(const Layering& layering, const std::vector<double>& x)
{
    double length = 0;
    for (const Segment& s : layering.segments)
        length += std::abs(x[s.upper] - x[s.lower]);
    return length;
}

/// True if weights distinguish the main path from the other segments. Otherwise it is an arbitrary longest path.
bool isHeavier(const Layering& layering, const std::vector<Index>& path)
{
    std::vector<bool> isMain(layering.vertexCount(), false);
    for (const Index v : path)
        isMain[v] = true;
    std::array<float, 2> heaviest{}; // of other segments, of the path
    for (const Segment& s : layering.segments) {
        const std::size_t place = isMain[s.upper] && isMain[s.lower] ? 1 : 0;
        heaviest.at(place) = std::max(heaviest.at(place), s.weight);
    }
    return heaviest[1] >= kMarked * heaviest[0];
}

/// Replaces straight lines by short edges if that makes the drawing much narrower. With many crossings, straight lines spread the
/// blocks far apart.
Result<std::vector<double>> placeShort(const FlowGraph& graph, const Layering& layering, const std::vector<Index>& path,
                                       const LayoutOptions& options, std::vector<double> straight, ProgressMonitor& monitor)
{
    const double length = lengthAcross(layering, straight);
    if (length < kMuchAcross * static_cast<double>(layering.segments.size()))
        return straight;
    std::vector<bool> fixed(layering.vertexCount(), false);
    const bool isMarked = isHeavier(layering, path);
    for (const Index v : path)
        fixed[v] = isMarked;
    SUNDER_TRY(std::vector<double> x, placeRankByRank(layering, extentsOf(graph, layering, options), fixed, monitor));
    if (lengthAcross(layering, x) >= kMuchShorter * length)
        x = std::move(straight);
    return x;
}

} // namespace

Result<std::vector<double>> placeAcross(const FlowGraph& graph, const Layering& layering, const LayoutOptions& options,
                                        ProgressMonitor& monitor)
{
    const auto path = mainPath(layering);
    SUNDER_PROPAGATE(monitor.check());
    const Blocks blocks = alignBlocks(layering, path);
    SUNDER_PROPAGATE(monitor.check());
    auto separations = separationsOf(graph, layering, blocks, options);
    SUNDER_PROPAGATE(monitor.check());
    const SeparationSolver solver(blocks.count, std::move(separations));
    SUNDER_PROPAGATE(monitor.check());
    const std::vector<Pull> pulls = pullsOf(layering, blocks);
    SUNDER_PROPAGATE(monitor.check());
    std::vector<double> weight(blocks.count, kMinWeight);
    for (const Pull& pull : pulls) {
        weight[pull.upper] += pull.weight;
        weight[pull.lower] += pull.weight;
    }
    std::vector<double> total = weight;
    const double heaviest = *std::max_element(weight.begin(), weight.end());
    if (blocks.mainBlock != kNone)
        total[blocks.mainBlock] = heaviest * kMainWeight;

    std::vector<double> x(blocks.count, 0);
    const int rounds = blocks.count <= kSmall ? kRounds : kRoundsOfLarge;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> wish = wishesOf(pulls, weight, x);
        if (blocks.mainBlock != kNone)
            wish[blocks.mainBlock] = 0;
        SUNDER_PROPAGATE(monitor.check());
        SUNDER_TRY(x, solver.place(wish, total, monitor));
    }
    std::vector<double> result(layering.vertexCount());
    for (Index v = 0; v < layering.vertexCount(); ++v)
        result[v] = x[blocks.blockOf[v]];
    SUNDER_TRY(result, placeShort(graph, layering, path, options, std::move(result), monitor));
    // Neighbors shift the main path slightly away from 0. Whole pixels remove that and keep lines crisp.
    for (double& place : result)
        place = std::floor(place + 0.5);
    return result;
}

} // namespace sunder::layered
