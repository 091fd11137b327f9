#include "passes.h"

#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"

#include <algorithm>
#include <array>
#include <string>

namespace sunder::fuzz {
namespace {

/// A number of `count` for each call, raised where an edge asks for it; one time in sixteen as it comes.
std::vector<std::int32_t> numbers(const Program& source, Random& random, int count)
{
    const Graph& graph = source.rootGraph();
    std::vector<std::int32_t> found(graph.idBound(), -1);
    const bool anyhow = random.chance(6);
    const bool consecutive = random.chance(30);
    std::int32_t last = 0;
    for (const NodeId id : graph.nodes()) {
        if (!graph.node(id).isCall())
            continue;
        std::int32_t& number = found[id.index()];
        number = random.between(0, count - 1);
        if (consecutive)
            number = last = std::min(count - 1, last + (random.chance(15) ? 1 : 0));
        for (const NodeId input : graph.inputs(id))
            number = anyhow ? number : std::max(number, found[input.index()]);
    }
    return found;
}

Result<Program> programOf(Result<SplitResult> split)
{
    if (!split)
        return tl::unexpected(split.error());
    return std::move(split->program);
}

Result<Program> runSplitByTags(const Program& source, Random& random)
{
    const int count = random.between(1, 5);
    TagAssignment tags;
    for (int i = 0; i < count; ++i)
        tags.order.push_back(intern("part" + std::to_string(i)));
    tags.tagOf = numbers(source, random, count);
    return programOf(splitByTags(source, tags, {.returnTuple = random.chance(50)}));
}

Result<Program> runSplitModule(const Program& source, Random& random)
{
    const int count = random.between(1, 5);
    PartitionAssignment partitions;
    for (int i = 0; i < count; ++i)
        partitions.ids.push_back({intern(std::to_string(i)), i});
    for (const std::int32_t number : numbers(source, random, count))
        partitions.partitionOf.push_back(number < 0 ? PartitionAssignment::kNone : static_cast<std::uint32_t>(number));
    return programOf(splitModule(source, partitions,
                                 {.keepOriginalOrder = random.chance(30), .keepOriginalNodeNames = random.chance(50),
                                  .tupleReturn = random.chance(50)}));
}

constexpr std::array kPasses{
    Pass{"split-by-tags", Pass::Input::any, Pass::Promise::torch, runSplitByTags},
    Pass{"split-module", Pass::Input::any, Pass::Promise::torch, runSplitModule},
};

} // namespace

std::span<const Pass> passes()
{
    return kPasses;
}

} // namespace sunder::fuzz
