#include "analysis/stages.h"

#include "analysis/sizes.h"
#include "ir/reader_stacks.h"
#include "support/format.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sunder {
namespace {

constexpr std::uint32_t kMaxStages = 100000;

/// Element i is the total weight of the first i calls; never decreases.
using Cumulative = std::vector<double>;

/// Cut positions from first to last, inclusive.
struct Positions {
    std::size_t first;
    std::size_t last;
};

/// Returns the positions in `among` whose weight is nearest to `wanted`; in a tie, the lower weight.
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

/// The calls to distribute among stages. Each is weighed together with its backward calls.
struct StagedCalls {
    std::vector<NodeId> calls;
    const TrainingGraph& training;

    [[nodiscard]] NodeId weighedWith(NodeId id) const
    {
        return training.isBackwardCall(id) ? training.forwardOf[id.index()] : id;
    }
};

StagedCalls stagedCalls(const Program& program, const TrainingGraph& training)
{
    const Graph& graph = program.rootGraph();
    StagedCalls staged{.calls = {}, .training = training};
    for (const NodeId id : orderByReaders(program, graph))
        if (graph.node(id).isCall() && !training.isBackwardCall(id))
            staged.calls.push_back(id);
    return staged;
}

/// `weightOf(id)` returns the weight of a single call.
Cumulative accumulate(const Graph& graph, const StagedCalls& staged, const auto& weightOf)
{
    std::vector<double> weight(graph.idBound(), 0.0);
    for (const NodeId id : graph.nodes())
        if (graph.node(id).isCall())
            weight[staged.weighedWith(id).index()] += weightOf(id);
    Cumulative sums(staged.calls.size() + 1, 0.0);
    for (std::size_t i = 0; i < staged.calls.size(); ++i)
        sums[i + 1] = sums[i] + weight[staged.calls[i].index()];
    return sums;
}

/// Returns the measures to balance, most important first. Each one only breaks ties of the measures before it.
Result<std::vector<Cumulative>> weights(const Program& program, const StagedCalls& staged, StageMeasure measure,
                                        ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    std::vector<Cumulative> found;
    if (measure == StageMeasure::bytes) {
        const MemoryTable memory = memoryTable(program.tensors);
        SUNDER_TRY(const MemoryReads reads, MemoryReads::build(program, memory, monitor));
        SUNDER_TRY(const ProgramSizes sizes, programSizes(program, memory, reads, monitor));
        const auto add = [&](const std::vector<std::uint64_t>& bytes) {
            found.push_back(accumulate(graph, staged, [&](NodeId id) { return static_cast<double>(bytes[id.index()]); }));
        };
        add(sizes.parameterBytes);
        add(sizes.outputBytes);
    }
    found.push_back(accumulate(graph, staged, [](NodeId) { return 1.0; }));
    return found;
}

/// Returns the end of stage `stage` as a number of calls. Leaves at least one call for each later stage.
std::size_t cutAfter(std::size_t stage, std::size_t stages, std::size_t previous, const std::vector<Cumulative>& by)
{
    const std::size_t calls = by.back().size() - 1;
    const std::size_t stagesLeft = stages - stage - 1;
    Positions open{previous + 1, calls - stagesLeft};
    for (const Cumulative& weight : by)
        open = nearest(weight, open, weight.back() * static_cast<double>(stage + 1) / static_cast<double>(stages));
    return open.first;
}

} // namespace

Result<TagAssignment> consecutiveStages(const Program& program, std::uint32_t count, StageMeasure measure, BackwardTags backward,
                                        ProgressMonitor& monitor)
{
    if (count == 0 || count > kMaxStages)
        return fail(ErrorCode::usage,
                    "the number of stages must be from 1 to " + std::to_string(kMaxStages) + ", not " + std::to_string(count));
    const Graph& graph = program.rootGraph();
    TrainingGraph training;
    if (backward == BackwardTags::follow) {
        SUNDER_TRY(training, trainingGraph(program, monitor));
    }
    const StagedCalls staged = stagedCalls(program, training);
    SUNDER_PROPAGATE(monitor.check());
    const std::vector<NodeId>& calls = staged.calls;
    if (count > std::max<std::size_t>(1, calls.size()))
        return fail(ErrorCode::refused,
                    std::to_string(count) + " stages are too many: the model has only "
                        + formatCount(calls.size(), training.isTraining() ? "op of the forward pass" : "op")
                        + ", enough for at most " + formatCount(std::max<std::size_t>(1, calls.size()), "stage"));
    SUNDER_TRY(const std::vector<Cumulative> by, weights(program, staged, measure, monitor));
    SUNDER_PROPAGATE(monitor.check());

    TagAssignment tags{.order = {}, .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
    std::size_t begin = 0;
    for (std::uint32_t stage = 0; stage < count; ++stage) {
        tags.order.push_back(intern("stage" + std::to_string(stage)));
        const std::size_t end = stage + 1 == count ? calls.size() : cutAfter(stage, count, begin, by);
        for (; begin < end; ++begin)
            tags.tagOf[calls[begin].index()] = static_cast<std::int32_t>(stage);
    }
    return withBackwardFollowing(graph, training, tags);
}

} // namespace sunder
