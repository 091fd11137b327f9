#include "analysis/sequence/cut_sequence.h"

#include "analysis/cut/cut_edges.h"
#include "analysis/cut/part_assignment.h"
#include "support/format.h"

#include <algorithm>
#include <compare>
#include <numeric>

namespace sunder {
namespace {

constexpr std::uint32_t kNoCall = 0xffffffffU;

struct KeptWeight {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    friend auto operator<=>(const KeptWeight&, const KeptWeight&) = default;
};

/// The heaviest chain that ends at a tag up to a given one: a Fenwick tree of maxima.
class HeaviestChains {
public:
    struct Chain {
        KeptWeight weight;
        std::uint32_t last = kNoCall;
    };

    explicit HeaviestChains(std::size_t tags) : m_best(tags + 1) {}

    [[nodiscard]] Chain upTo(std::size_t tag) const
    {
        Chain best;
        for (std::size_t i = tag + 1; i > 0; i -= i & (~i + 1))
            if (best.weight < m_best[i].weight)
                best = m_best[i];
        return best;
    }

    void put(std::size_t tag, const Chain& chain)
    {
        for (std::size_t i = tag + 1; i < m_best.size(); i += i & (~i + 1))
            if (m_best[i].weight < chain.weight)
                m_best[i] = chain;
    }

private:
    std::vector<Chain> m_best;
};

/// Returns the calls that keep their tags, ascending.
std::vector<std::uint32_t> keptCalls(const ModelSequence& sequence, std::span<const std::int32_t> rankOf, std::size_t tags)
{
    HeaviestChains chains(tags);
    std::vector<std::uint32_t> before(rankOf.size(), kNoCall);
    for (std::uint32_t call = 0; call < rankOf.size(); ++call) {
        if (rankOf[call] < 0)
            continue;
        const auto rank = static_cast<std::size_t>(rankOf[call]);
        HeaviestChains::Chain chain = chains.upTo(rank);
        before[call] = chain.last;
        ++chain.weight.calls;
        chain.weight.bytes += sequence.callBytes[call];
        chain.last = call;
        chains.put(rank, chain);
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t call = tags == 0 ? kNoCall : chains.upTo(tags - 1).last; call != kNoCall; call = before[call])
        kept.push_back(call);
    std::reverse(kept.begin(), kept.end());
    return kept;
}

/// Returns the rank of each call in the straight cut. Calls have no rank if none is kept.
std::vector<std::int32_t> straightRanks(const ModelSequence& sequence, std::span<const std::int32_t> rankOf,
                                        std::span<const std::uint32_t> kept)
{
    std::vector<std::int32_t> straight(rankOf.begin(), rankOf.end());
    std::uint32_t from = 0; // earlier calls are done
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::int32_t own = rankOf[kept[i]];
        const std::int32_t earlier = i == 0 ? own : rankOf[kept[i - 1]];
        const std::uint32_t border = earlier == own ? kept[i] : cheapestPlace(sequence, {from, kept[i]});
        std::fill(straight.begin() + from, straight.begin() + border, earlier);
        std::fill(straight.begin() + border, straight.begin() + kept[i] + 1, own);
        from = kept[i] + 1;
    }
    if (!kept.empty())
        std::fill(straight.begin() + from, straight.end(), rankOf[kept.back()]);
    return straight;
}

/// Orders tags by the position of their median call; tags without calls keep their positions.
std::vector<int> orderByMiddle(std::span<const std::int32_t> partOf, std::size_t tags)
{
    std::vector<std::vector<std::uint32_t>> calls(tags);
    for (std::uint32_t call = 0; call < partOf.size(); ++call)
        if (partOf[call] >= 0)
            calls[static_cast<std::size_t>(partOf[call])].push_back(call);
    std::vector<int> used;
    for (std::size_t tag = 0; tag < tags; ++tag)
        if (!calls[tag].empty())
            used.push_back(static_cast<int>(tag));
    std::vector<int> sorted = used;
    const auto middle = [&](int tag) {
        const auto& of = calls[static_cast<std::size_t>(tag)];
        return of[of.size() / 2];
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return middle(a) < middle(b); });
    std::vector<int> order(tags);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = 0; i < used.size(); ++i)
        order[static_cast<std::size_t>(used[i])] = sorted[i];
    return order;
}

std::vector<std::int32_t> ranksIn(std::span<const int> order, std::span<const std::int32_t> partOf)
{
    std::vector<std::int32_t> rankOfTag(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        rankOfTag[static_cast<std::size_t>(order[rank])] = static_cast<std::int32_t>(rank);
    std::vector<std::int32_t> ranks(partOf.begin(), partOf.end());
    for (std::int32_t& rank : ranks)
        if (rank >= 0)
            rank = rankOfTag[static_cast<std::size_t>(rank)];
    return ranks;
}

/// Fills in the result for a straight cut: tags, statistics, and tags without remaining calls.
void describeChange(const ModelSequence& sequence, std::span<const std::int32_t> before, std::span<const std::int32_t> after,
                    Straightening& out)
{
    const CutGraph& graph = *sequence.graph;
    std::vector<std::uint8_t> had(out.order.size(), 0);
    std::vector<std::uint8_t> has(out.order.size(), 0);
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        if (before[call] >= 0)
            had[static_cast<std::size_t>(before[call])] = 1;
        if (after[call] < 0)
            continue;
        has[static_cast<std::size_t>(after[call])] = 1;
        out.tags.tagOf[graph.nodes[call].index()] = after[call];
        if (before[call] < 0)
            ++out.filled;
        if (before[call] < 0 || before[call] == after[call])
            continue;
        ++out.retagged;
        out.retaggedBytes += sequence.callBytes[call];
    }
    for (std::size_t tag = 0; tag < had.size(); ++tag)
        if (had[tag] != 0 && has[tag] == 0)
            out.emptied.push_back(static_cast<std::int32_t>(tag));
}

} // namespace

CutLegality legalityOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf)
{
    return {backwardEdgeCount(graph, partOf),
            static_cast<std::size_t>(std::count(partOf.begin(), partOf.end(), TagAssignment::kUntagged))};
}

std::string describe(const CutLegality& legality)
{
    const auto [backward, untagged] = legality;
    if (backward > 0)
        return "illegal: " + formatCount(backward, "value") + (backward == 1 ? " goes" : " go")
            + " from a later tag to an earlier one";
    if (untagged > 0)
        return "incomplete: " + formatCount(untagged, "op") + (untagged == 1 ? " has" : " have") + " no tag";
    return "legal";
}

CutSequence cutSequence(const ModelSequence& sequence, std::span<const std::int32_t> partOf, std::size_t tags)
{
    CutSequence out;
    const auto count = static_cast<std::uint32_t>(partOf.size());
    for (std::uint32_t call = 0; call < count; ++call) {
        if (out.runs.empty() || out.runs.back().tag != partOf[call])
            out.runs.push_back({partOf[call], call, call});
        ++out.runs.back().end;
        out.untagged += partOf[call] < 0 ? 1 : 0;
    }
    const std::vector<std::uint32_t> kept = keptCalls(sequence, partOf, tags);
    out.strays = count - out.untagged - kept.size();
    const std::vector<std::int32_t> straight = straightRanks(sequence, partOf, kept);
    for (std::uint32_t call = 1; call < count; ++call)
        if (straight[call] != straight[call - 1])
            out.borders.push_back({straight[call - 1], straight[call], call});
    return out;
}

Straightening straightened(const ModelSequence& sequence, const TagAssignment& tags)
{
    const std::vector<std::int32_t> partOf = partsOfCalls(*sequence.graph, tags);
    const std::size_t count = tags.order.size();
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::int32_t> ranks = partOf;
    std::vector<std::uint32_t> kept = keptCalls(sequence, ranks, count);

    const std::vector<int> other = orderByMiddle(partOf, count);
    const std::vector<std::int32_t> otherRanks = ranksIn(other, partOf);
    if (std::vector<std::uint32_t> otherKept = keptCalls(sequence, otherRanks, count); otherKept.size() > kept.size()) {
        order = other;
        ranks = otherRanks;
        kept = std::move(otherKept);
    }
    Straightening out{
        .tags = {.order = {}, .tagOf = std::vector<std::int32_t>(sequence.graph->valueOf.size(), TagAssignment::kUntagged)},
        .order = order,
        .isReordered = !std::is_sorted(order.begin(), order.end())};
    for (const int tag : order)
        out.tags.order.push_back(tags.order[static_cast<std::size_t>(tag)]);
    const std::vector<std::int32_t> straight = straightRanks(sequence, ranks, kept);
    describeChange(sequence, ranks, straight, out);
    out.crossingBefore = crossingBytesOf(*sequence.graph, partOf);
    out.crossingAfter = crossingBytesOf(*sequence.graph, straight);
    return out;
}

std::string describe(const Straightening& straightening)
{
    std::string text;
    const auto say = [&text](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    if (straightening.isReordered)
        say("reorders the tags by execution");
    if (straightening.retagged > 0)
        say("retags " + formatCount(straightening.retagged, "op") + " (" + formatBytes(straightening.retaggedBytes) + ")");
    if (straightening.filled > 0)
        say("tags " + formatCount(straightening.filled, "untagged op"));
    for (const std::int32_t tag : straightening.emptied)
        say("leaves " + straightening.tags.order[static_cast<std::size_t>(tag)].str() + " without ops");
    if (text.empty())
        return "the stages are already contiguous";
    const std::string before = formatBytes(straightening.crossingBefore);
    const std::string after = formatBytes(straightening.crossingAfter);
    say(before == after ? "transfer stays at " + after : "transfer changes from " + before + " to " + after);
    return text;
}

} // namespace sunder
