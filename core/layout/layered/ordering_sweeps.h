#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

#include <span>

namespace sunder::layered {

/// Changes the order within ranks in place so that fewer segments cross. Keeps scratch memory between calls.
class Sweeper {
public:
    /// `budget`: pairs of vertices that it may weigh before it gets tired.
    Sweeper(Layering& layering, std::uint64_t budget);

    [[nodiscard]] std::uint64_t work() const { return m_work; }
    /// Whether the budget is spent: then only sweep works on.
    [[nodiscard]] bool isTired() const { return m_work > m_budget; }

    /// Sorts every rank by the barycentres of its neighbours above (going down) or below; vertices without such
    /// neighbours keep their places; equals keep their order, or swap it with `reverseEquals`. False when cancelled.
    bool sweep(bool down, bool reverseEquals, ProgressMonitor& monitor);

    /// Exchanges neighbours within ranks as long as that saves crossings, a few passes. False when cancelled.
    bool exchange(ProgressMonitor& monitor);

    /// Moves every vertex of ranks that are not too wide to the best place in its rank (sifting, Matuszewski, Schönfeld,
    /// Molitor 1999), a few passes: better than exchange and dearer. False when cancelled.
    bool sift(ProgressMonitor& monitor);

private:
    void sortRank(Index rank, bool byUpper, bool reverseEquals);
    bool exchangeRank(Index rank);
    bool siftRank(Index rank);
    bool siftVertex(Index rank, Index vertex);
    template <typename ImproveRank>
    bool improveDirtyRanks(int passes, ProgressMonitor& monitor, ImproveRank improveRank);
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
        double barycentre;
        Index vertex;
    };
    std::vector<Key> m_keys;
    std::vector<Index> m_places;
    std::vector<Index> m_sifted;
    std::vector<End> m_ends; ///< of all vertices of the rank at hand, sorted a vertex and side
    struct EndsOf {
        Index begin;
        Index middle; ///< from here on those below
        Index end;
    };
    std::vector<EndsOf> m_endsOf; ///< per vertex; valid for the rank at hand
    std::uint64_t m_budget;
    std::uint64_t m_work = 0;
    std::vector<bool> m_dirty; ///< ranks where an exchange may save something
};

} // namespace sunder::layered
