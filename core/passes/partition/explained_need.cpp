#include "passes/partition/explained_need.h"

#include "analysis/cut/cut_text.h"
#include "analysis/cut/part_measure.h"
#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

PartSizes sizesOf(const CutGraph& graph, std::span<const NodeId> nodes)
{
    std::vector<std::int32_t> partOf(graph.callCount, TagAssignment::kUntagged);
    std::vector<std::uint32_t> calls;
    for (const NodeId id : nodes)
        if (const std::uint32_t call = graph.valueOf[id.index()]; call < graph.callCount && partOf[call] != 0) {
            partOf[call] = 0;
            calls.push_back(call);
        }
    std::sort(calls.begin(), calls.end());
    return PartMeasure(graph, partOf).measure(0, calls).sizes;
}

} // namespace

ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes)
{
    const PartSizes kept = sizesOf(cutGraph(program, sizes), nodes);
    ExplainedNeed need{.pieces = describeNeed(kept, MemoryRule::keepsAll), .otherwise = {}};
    const CutGraph freed = cutGraph(program, MemoryRule::freesDead);
    if (const std::uint64_t peak = sizesOf(freed, nodes).usedBytes(); peak < kept.usedBytes())
        need.otherwise = "; the run-time peak, which a split by tags uses, is " + formatBytes(peak);
    return need;
}

ExplainedNeed explainNeed(const Program& program, const NodeSizes& sizes)
{
    const auto nodes = program.rootGraph().nodes();
    return explainNeed(program, sizes, std::vector<NodeId>(nodes.begin(), nodes.end()));
}

} // namespace sunder
