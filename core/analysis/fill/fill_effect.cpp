#include "analysis/fill/fill_effect.h"

#include "analysis/tag_assignment.h"
#include "support/format.h"

#include <vector>

namespace sunder {
namespace {

bool runsBackwards(std::int32_t producer, std::int32_t consumer)
{
    return producer >= 0 && consumer >= 0 && producer > consumer;
}

} // namespace

FillEffect fillEffect(const Snapshot& snapshot, const TagAssignment& tags, std::span<const NodeId> nodes, std::int32_t tag)
{
    const Graph& graph = snapshot.graph();
    std::vector<std::int32_t> after(graph.idBound(), TagAssignment::kUntagged);
    for (const NodeId id : graph.nodes())
        after[id.index()] = tags[id];
    std::vector<NodeId> changed;
    for (const NodeId id : nodes)
        if (snapshot.isCall(id) && after[id.index()] != tag) {
            after[id.index()] = tag;
            changed.push_back(id);
        }
    const TagTotal total = totalOf(snapshot, changed);
    FillEffect effect{.ops = changed.size(), .bytes = total.bytes};
    for (const NodeId consumer : graph.nodes()) {
        if (!snapshot.isCall(consumer))
            continue;
        const std::int32_t from = tags[consumer];
        const std::int32_t to = after[consumer.index()];
        effect.untaggedBefore += from < 0 ? 1 : 0;
        effect.untaggedAfter += to < 0 ? 1 : 0;
        for (const NodeId producer : graph.inputs(consumer)) {
            if (!snapshot.isCall(producer))
                continue;
            const bool was = runsBackwards(tags[producer], from);
            const bool is = runsBackwards(after[producer.index()], to);
            effect.backwardBefore += was ? 1 : 0;
            effect.backwardAdded += is && !was ? 1 : 0;
            effect.backwardMended += was && !is ? 1 : 0;
        }
    }
    return effect;
}

std::string describeAmount(const FillEffect& effect)
{
    return formatCount(effect.ops, "op") + (effect.bytes > 0 ? ", " + formatBytes(effect.bytes) : "");
}

std::string describeLegality(const FillEffect& effect)
{
    if (effect.isLegal())
        return effect.wasLegal() ? "the cut stays legal" : "makes the cut legal";
    if (effect.backwardAdded > 0)
        return "adds " + formatCount(effect.backwardAdded, "backward edge")
            + (effect.backwardMended > 0 ? ", fixes " + formatCount(effect.backwardMended) : "");
    if (effect.backwardMended > 0)
        return "fixes " + formatCount(effect.backwardMended, "backward edge")
            + (effect.backwardAfter() > 0 ? ", " + formatCount(effect.backwardAfter()) + " remain" : "");
    if (effect.backwardAfter() > 0)
        return "adds no backward edge; " + formatCount(effect.backwardAfter()) + " remain";
    return "no backward edges; " + formatCount(effect.untaggedAfter, "untagged op");
}

} // namespace sunder
