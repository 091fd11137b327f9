#include "layout/layered/coordinate_blocks.h"

#include "layout/layered/ordering.h"

#include <algorithm>
#include <cmath>

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

} // namespace sunder::layered
