#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder::layered {

/// Counts crossings between neighboring ranks, weighted by Layering::crossingCost, with an accumulator tree (Barth, Jünger,
/// Mutzel 2002): O(segments · log width). Reuses its temporary memory between calls.
class CrossingCounter {
public:
    /// Cost of the crossings between `rank` and the next.
    std::uint64_t between(const Layering& layering, Index rank) { return count(layering, rank, true); }
    /// Number of these crossings, without weights.
    std::uint64_t numberBetween(const Layering& layering, Index rank) { return count(layering, rank, false); }
    /// Cost of all crossings.
    std::uint64_t total(const Layering& layering);

private:
    std::uint64_t count(const Layering& layering, Index rank, bool byCost);

    struct End {
        Index position;
        Index cost;
    };
    std::vector<End> m_lower;
    std::vector<std::uint64_t> m_tree;
};

/// Reorders vertices within ranks in place so that fewer segments cross. Reuses its temporary memory between calls.
class Sweeper {
public:
    /// `budget` is the number of vertex pairs that may be compared before isTired().
    Sweeper(Layering& layering, std::uint64_t budget);

    [[nodiscard]] std::uint64_t work() const { return m_work; }
    /// True if the budget is spent. Then only sweep() still works.
    [[nodiscard]] bool isTired() const { return m_work > m_budget; }

    /// Sorts every rank by the barycenters of its neighbors above (downward sweep) or below. Vertices without such neighbors keep
    /// their positions. Equal vertices keep their order, or reverse it with `reverseEquals`. Fails only when canceled.
    Result<void> sweep(bool down, bool reverseEquals, ProgressMonitor& monitor);

    /// Exchanges neighbors within ranks while that saves crossings, in a few passes. Fails only when canceled.
    Result<void> exchange(ProgressMonitor& monitor);

    /// Moves every vertex of ranks that are not too wide to its best position in the rank (sifting; Matuszewski, Schönfeld,
    /// Molitor 1999), in a few passes. Better than exchange(), but more expensive. Fails only when canceled.
    Result<void> sift(ProgressMonitor& monitor);

private:
    void sortRank(Index rank, bool byUpper, bool reverseEquals);
    bool exchangeRank(Index rank);
    bool siftRank(Index rank);
    bool siftVertex(Index rank, Index vertex);
    template <typename ImproveRank>
    Result<void> improveDirtyRanks(int passes, ProgressMonitor& monitor, ImproveRank improveRank);
    void markDirty(Index rank);
    struct End {
        Index position;
        Index cost;
    };
    using Ends = std::span<const End>;
    void gatherRank(Index rank);
    [[nodiscard]] Index gather(Index vertex, bool upper);
    [[nodiscard]] static std::int64_t inversions(Ends left, Ends right);
    std::int64_t savedByExchange(Index left, Index right);

    Layering& m_layering;
    struct Key {
        double barycenter;
        Index vertex;
    };
    std::vector<Key> m_keys;
    std::vector<Index> m_places;
    std::vector<Index> m_sifted;
    std::vector<End> m_ends; ///< of all vertices of the current rank, sorted per vertex and side
    struct EndsOf {
        Index begin;
        Index middle; ///< start of the ends below
        Index end;
    };
    std::vector<EndsOf> m_endsOf; ///< per vertex; valid for the current rank
    std::uint64_t m_budget;
    std::uint64_t m_work = 0;
    std::vector<bool> m_dirty; ///< ranks where an exchange may save crossings
};

} // namespace sunder::layered
