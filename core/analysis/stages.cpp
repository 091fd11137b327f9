#include "analysis/stages.h"

#include "analysis/sizes.h"
#include "ir/reader_stacks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sunder {
namespace {

constexpr std::uint32_t kMostStages = 100000;

/// Weight of the first i calls, per i; never falls.
using Cumulative = std::vector<double>;

/// Cut positions first … last, both included.
struct Positions {
    std::size_t first;
    std::size_t last;
};

/// The positions of the range whose weight is nearest to the wanted one; the lower of two equally near.
Positions nearest(const Cumulative& weight, Positions among, double wanted)
{
    const auto begin = weight.begin() + static_cast<std::ptrdiff_t>(among.first);
    const auto end = weight.begin() + static_cast<std::ptrdiff_t>(among.last) + 1;
    auto at = std::lower_bound(begin, end, wanted);
    if (at == end || (at != begin && wanted - *(at - 1) <= *at - wanted))
        --at;
    const auto [low, high] = std::equal_range(begin, end, *at);
    return {static_cast<std::size_t>(low - weight.begin()), static_cast<std::size_t>(high - weight.begin()) - 1};
}

std::vector<NodeId> callsOf(const Program& program)
{
    const Graph& graph = program.rootGraph();
    std::vector<NodeId> calls;
    for (const NodeId id : orderByReaders(program, graph))
        if (graph.node(id).isCall())
            calls.push_back(id);
    return calls;
}

Cumulative accumulate(const std::vector<NodeId>& calls, const std::vector<std::uint64_t>& bytes)
{
    Cumulative sums(calls.size() + 1, 0.0);
    for (std::size_t i = 0; i < calls.size(); ++i)
        sums[i + 1] = sums[i] + static_cast<double>(bytes[calls[i].index()]);
    return sums;
}

/// What to balance, the most important first; each decides only between cuts that are equal by those before.
std::vector<Cumulative> weights(const Program& program, const std::vector<NodeId>& calls, StageMeasure measure)
{
    std::vector<Cumulative> found;
    if (measure == StageMeasure::bytes) {
        const ProgramSizes sizes = programSizes(program);
        found.push_back(accumulate(calls, sizes.parameterBytes));
        found.push_back(accumulate(calls, sizes.outputBytes));
    }
    Cumulative count(calls.size() + 1);
    for (std::size_t i = 0; i < count.size(); ++i)
        count[i] = static_cast<double>(i);
    found.push_back(std::move(count));
    return found;
}

/// Where stage `stage` ends, as a number of calls; later stages keep at least one call each.
std::size_t cutAfter(std::size_t stage, std::size_t stages, std::size_t previous, const std::vector<Cumulative>& by)
{
    const std::size_t calls = by.back().size() - 1;
    const std::size_t stagesLeft = stages - stage - 1;
    if (calls < stages)
        return std::min(stage + 1, calls);
    Positions open{previous + 1, calls - stagesLeft};
    for (const Cumulative& weight : by)
        open = nearest(weight, open, weight.back() * static_cast<double>(stage + 1) / static_cast<double>(stages));
    return open.first;
}

} // namespace

Result<TagAssignment> consecutiveStages(const Program& program, std::uint32_t count, StageMeasure measure)
{
    if (count == 0 || count > kMostStages)
        return fail(ErrorCode::usage,
                    "the number of stages must be from 1 to " + std::to_string(kMostStages) + ", not " + std::to_string(count));
    const Graph& graph = program.rootGraph();
    const std::vector<NodeId> calls = callsOf(program);
    const std::vector<Cumulative> by = weights(program, calls, measure);

    TagAssignment tags{.order = {}, .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
    std::size_t begin = 0;
    for (std::uint32_t stage = 0; stage < count; ++stage) {
        tags.order.push_back(intern("stage" + std::to_string(stage)));
        const std::size_t end = stage + 1 == count ? calls.size() : cutAfter(stage, count, begin, by);
        for (; begin < end; ++begin)
            tags.tagOf[calls[begin].index()] = static_cast<std::int32_t>(stage);
    }
    return tags;
}

} // namespace sunder
