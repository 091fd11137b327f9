#include "analysis/alignment/align_sequences.h"

#include <algorithm>

// Dynamic programming over pairs (i old, j new) within a band around the diagonal. Two tables hold the best score before and
// after each pair, which shows whether the pair is in a best alignment. A third table, in which names and positions break ties,
// selects one alignment.

namespace sunder {
namespace {

constexpr std::int64_t kMaxPairs = 4'000'000;
constexpr std::int64_t kMinSlack = 32;
constexpr int kKind = 4;
constexpr int kContents = 2;
constexpr int kValue = 2;
constexpr int kOwnName = 6;
constexpr int kWeights = 3;

/// Returns the score of a match; 0 if the items cannot match.
int likeness(const SequenceItem& old, const SequenceItem& now)
{
    if (old.isModule != now.isModule)
        return 0;
    const bool isKind = old.kind == now.kind;
    const int weights = old.weights != 0 && old.weights == now.weights ? kWeights : 0;
    if (!old.isModule)
        return isKind ? kKind + (old.contents == now.contents ? kContents : 0) + (old.value == now.value ? kValue : 0) + weights
                      : 0;
    const bool isNamed = old.name == now.name;
    int sum = weights + (isKind ? kKind : 0) + (old.contents == now.contents ? kContents + kValue : 0);
    if (isNamed && !old.isListed)
        sum += kOwnName;
    else if (isNamed && old.isNameFirm)
        sum += 1; // also for another class or size, since the list has the same numbers
    return sum;
}

/// Returns the score that breaks ties between equally good alignments.
int preference(const SequenceItem& old, const SequenceItem& now)
{
    if (!old.isModule)
        return old.place == now.place ? 1 : 0;
    return (old.name == now.name ? 2 : 0) + (old.place == now.place ? 1 : 0);
}

bool isWeakPair(const SequenceItem& old, const SequenceItem& now)
{
    if (old.weights != 0 && old.weights == now.weights)
        return false;
    if (!old.isModule)
        return old.contents != now.contents && old.value != now.value && !(old.isNameFirm && old.place == now.place);
    return old.contents != now.contents && !(old.name == now.name && (!old.isListed || old.isNameFirm));
}

template <typename Number>
class BandTable {
public:
    BandTable(std::int64_t rows, std::int64_t low, std::int64_t width)
        : m_low(low), m_width(width), m_cells(static_cast<std::size_t>(rows * width), -1)
    {
    }
    [[nodiscard]] bool has(std::int64_t i, std::int64_t j) const { return j - i >= m_low && j - i < m_low + m_width; }
    [[nodiscard]] Number at(std::int64_t i, std::int64_t j) const { return has(i, j) ? m_cells[index(i, j)] : Number(-1); }
    void set(std::int64_t i, std::int64_t j, Number value) { m_cells[index(i, j)] = value; }

private:
    [[nodiscard]] std::size_t index(std::int64_t i, std::int64_t j) const
    {
        return static_cast<std::size_t>(i * m_width + (j - i - m_low));
    }
    std::int64_t m_low;
    std::int64_t m_width;
    std::vector<Number> m_cells;
};

class Aligner {
public:
    Aligner(std::span<const SequenceItem> old, std::span<const SequenceItem> now)
        : m_old(old), m_now(now), m_n(static_cast<std::int64_t>(old.size())), m_m(static_cast<std::int64_t>(now.size()))
    {
        m_fits.resize(now.size());
    }

    SequenceAlignment run()
    {
        const std::int64_t shift = m_m - m_n;
        std::int64_t slack = std::max(m_n, m_m);
        if ((m_n + 1) * (m_m + 1) > kMaxPairs)
            slack = std::min(slack, (kMaxPairs / (m_n + 1) - std::abs(shift)) / 2);
        if (slack < std::min(kMinSlack, std::max(m_n, m_m)))
            return undecided();
        m_low = std::min<std::int64_t>(0, shift) - slack;
        m_width = std::abs(shift) + 2 * slack + 1;
        align();
        return {std::move(m_fits)};
    }

private:
    using Fit = SequenceAlignment::Fit;
    static constexpr std::int64_t kTie = std::int64_t{1} << 24U; ///< greater than any sum of preferences

    /// The lengths differ too much: all items are undecided.
    SequenceAlignment undecided()
    {
        for (Fit& fit : m_fits)
            fit.hasMore = fit.mayBeNew = true;
        return {std::move(m_fits)};
    }

    [[nodiscard]] int likenessAt(std::int64_t i, std::int64_t j) const
    {
        return likeness(m_old[static_cast<std::size_t>(i)], m_now[static_cast<std::size_t>(j)]);
    }

    void align()
    {
        BandTable<std::int32_t> before(m_n + 1, m_low, m_width);
        BandTable<std::int32_t> behind(m_n + 1, m_low, m_width);
        BandTable<std::int64_t> chosen(m_n + 1, m_low, m_width);
        fillBefore(before, chosen);
        fillBehind(behind);
        const std::int32_t best = before.at(m_n, m_m);
        choose(chosen);
        gather(before, behind, best);
    }

    void fillBefore(BandTable<std::int32_t>& before, BandTable<std::int64_t>& chosen) const
    {
        for (std::int64_t i = 0; i <= m_n; ++i)
            for (std::int64_t j = std::max<std::int64_t>(0, i + m_low); j <= std::min(m_m, i + m_low + m_width - 1); ++j) {
                std::int32_t best = i == 0 && j == 0 ? 0 : -1;
                std::int64_t choice = best;
                if (i > 0) {
                    best = std::max(best, before.at(i - 1, j));
                    choice = std::max(choice, chosen.at(i - 1, j));
                }
                if (j > 0) {
                    best = std::max(best, before.at(i, j - 1));
                    choice = std::max(choice, chosen.at(i, j - 1));
                }
                if (i > 0 && j > 0 && before.at(i - 1, j - 1) >= 0)
                    if (const int like = likenessAt(i - 1, j - 1); like > 0) {
                        best = std::max(best, before.at(i - 1, j - 1) + like);
                        choice = std::max(choice, chosen.at(i - 1, j - 1) + weigh(i - 1, j - 1, like));
                    }
                before.set(i, j, best);
                chosen.set(i, j, choice);
            }
    }

    [[nodiscard]] std::int64_t weigh(std::int64_t i, std::int64_t j, int like) const
    {
        return like * kTie + preference(m_old[static_cast<std::size_t>(i)], m_now[static_cast<std::size_t>(j)]);
    }

    void fillBehind(BandTable<std::int32_t>& behind) const
    {
        for (std::int64_t i = m_n; i >= 0; --i)
            for (std::int64_t j = std::min(m_m, i + m_low + m_width - 1); j >= std::max<std::int64_t>(0, i + m_low); --j) {
                std::int32_t best = i == m_n && j == m_m ? 0 : -1;
                if (i < m_n)
                    best = std::max(best, behind.at(i + 1, j));
                if (j < m_m)
                    best = std::max(best, behind.at(i, j + 1));
                if (i < m_n && j < m_m && behind.at(i + 1, j + 1) >= 0)
                    if (const int like = likenessAt(i, j); like > 0)
                        best = std::max(best, behind.at(i + 1, j + 1) + like);
                behind.set(i, j, best);
            }
    }

    /// Selects one best alignment, from the end. Pairs take precedence over gaps, so that among equals without a preference the
    /// new items come first.
    void choose(const BandTable<std::int64_t>& chosen)
    {
        std::int64_t i = m_n;
        std::int64_t j = m_m;
        while (i > 0 || j > 0) {
            const std::int64_t here = chosen.at(i, j);
            if (i > 0 && j > 0 && chosen.at(i - 1, j - 1) >= 0)
                if (const int like = likenessAt(i - 1, j - 1);
                    like > 0 && here == chosen.at(i - 1, j - 1) + weigh(i - 1, j - 1, like)) {
                    --i;
                    --j;
                    Fit& fit = m_fits[static_cast<std::size_t>(j)];
                    fit.old = static_cast<std::uint32_t>(i);
                    fit.isWeak = isWeakPair(m_old[fit.old], m_now[static_cast<std::size_t>(j)]);
                    continue;
                }
            if (j > 0 && here == chosen.at(i, j - 1))
                --j;
            else
                --i;
            m_touchesEdge = m_touchesEdge || isAtEdge(i, j);
        }
    }

    /// Returns whether the path touches the edge of an incomplete band; a better alignment may exist outside.
    [[nodiscard]] bool isAtEdge(std::int64_t i, std::int64_t j) const
    {
        const bool isWhole = m_low <= -m_n && m_low + m_width > m_m;
        return !isWhole && (j - i <= m_low || j - i >= m_low + m_width - 1);
    }

    void gather(const BandTable<std::int32_t>& before, const BandTable<std::int32_t>& behind, std::int32_t best)
    {
        for (std::int64_t j = 0; j < m_m; ++j) {
            Fit& fit = m_fits[static_cast<std::size_t>(j)];
            fit.hasMore = fit.hasMore || m_touchesEdge;
            const std::int64_t first = std::max<std::int64_t>(0, j - (m_low + m_width - 1));
            for (std::int64_t i = first; i <= std::min(m_n, j - m_low); ++i) {
                if (before.at(i, j) >= 0 && behind.at(i, j + 1) >= 0 && before.at(i, j) + behind.at(i, j + 1) == best)
                    fit.mayBeNew = true;
                if (i == m_n || static_cast<std::uint32_t>(i) == fit.old || before.at(i, j) < 0 || behind.at(i + 1, j + 1) < 0)
                    continue;
                if (const int like = likenessAt(i, j); like > 0 && before.at(i, j) + like + behind.at(i + 1, j + 1) == best)
                    note(fit, static_cast<std::uint32_t>(i));
            }
        }
    }

    static void note(Fit& fit, std::uint32_t old)
    {
        if (fit.others.size() < SequenceAlignment::kMaxOthers)
            fit.others.push_back(old);
        else
            fit.hasMore = true;
    }

    std::span<const SequenceItem> m_old;
    std::span<const SequenceItem> m_now;
    std::int64_t m_n;
    std::int64_t m_m;
    std::int64_t m_low = 0;
    std::int64_t m_width = 0;
    bool m_touchesEdge = false;
    std::vector<Fit> m_fits;
};

} // namespace

SequenceAlignment alignSequences(std::span<const SequenceItem> old, std::span<const SequenceItem> now)
{
    return Aligner(old, now).run();
}

} // namespace sunder
