#include "analysis/training/backward_tags.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

void dropBackward(Program& program, const TrainingGraph& training)
{
    Graph& graph = program.rootGraph();
    std::vector<OutputSpec> specs;
    if (const NodeId output = graph.output(); output && !graph[output].args.empty() && graph[output].args.front().isCompound()) {
        Arguments kept;
        const auto results = graph[output].args.front().items();
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].is(ArgumentKind::node) && training.isBackwardCall(results[i].asNode()))
                continue;
            kept.push_back(results[i]);
            if (program.signature && i < program.signature->outputs.size())
                specs.push_back(program.signature->outputs[i]);
        }
        graph.setArguments(output, {Argument::tuple(std::move(kept))}, {});
    }
    if (program.signature)
        program.signature->outputs = std::move(specs);
    std::vector<NodeId> order = graph.order();
    std::ranges::reverse(order);
    for (const NodeId id : order)
        if (training.isBackwardCall(id) && graph[id].userCount() == 0) // the forward calls of a file may use backward ones
            (void)graph.erase(id);
}

} // namespace

Program forwardProgram(const Program& program, const TrainingGraph& training)
{
    Program forward = program;
    dropBackward(forward, training);
    return forward;
}

namespace {

constexpr std::string_view kBackward = "_backward";

/// Returns the stage of each backward call: an index of a forward tag, or kUntagged.
std::vector<std::int32_t> backwardStages(const Graph& graph, const TrainingGraph& training,
                                         const std::vector<std::int32_t>& forwardStage)
{
    std::vector<std::int32_t> stage(graph.idBound(), TagAssignment::kUntagged);
    for (const NodeId id : graph.nodes()) {
        if (!training.isBackwardCall(id))
            continue;
        std::int32_t mine = forwardStage[training.forwardOf[id.index()].index()];
        for (const NodeId input : graph.inputs(id)) // gradients flow from later stages to earlier ones
            if (training.isBackwardCall(input) && stage[input.index()] != TagAssignment::kUntagged)
                mine = std::min(mine, stage[input.index()]);
        stage[id.index()] = mine;
    }
    return stage;
}

} // namespace

InternedString backwardTagOf(InternedString forward)
{
    return intern(forward.str() + std::string(kBackward));
}

std::string_view forwardNameOf(std::string_view backward)
{
    return backward.ends_with(kBackward) ? backward.substr(0, backward.size() - kBackward.size()) : std::string_view();
}

std::vector<std::int32_t> forwardTags(std::span<const InternedString> order)
{
    std::unordered_map<InternedString, std::int32_t> placeOf;
    for (std::size_t tag = 0; tag < order.size(); ++tag)
        placeOf[order[tag]] = static_cast<std::int32_t>(tag);
    std::vector<std::int32_t> forward(order.size(), -1);
    for (std::size_t tag = 0; tag < order.size(); ++tag) {
        const std::string_view name = forwardNameOf(order[tag].view());
        if (name.empty())
            continue;
        const auto found = placeOf.find(intern(name));
        if (found != placeOf.end())
            forward[tag] = found->second;
    }
    for (std::int32_t& tag : forward) // resolves chains: a_backward_backward → a_backward → a; terminates since names get shorter
        while (tag >= 0 && forward[static_cast<std::size_t>(tag)] >= 0)
            tag = forward[static_cast<std::size_t>(tag)];
    return forward;
}

std::vector<std::int32_t> differentStages(std::span<const std::int32_t> forward, std::span<const std::int32_t> tags)
{
    std::vector<std::int32_t> different;
    for (const std::int32_t tag : tags)
        if (const std::int32_t stage = forward[static_cast<std::size_t>(tag)];
            stage < 0 || !std::ranges::binary_search(tags, stage))
            different.push_back(tag);
    return different;
}

TagAssignment onlyForwardTags(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags)
{
    const std::vector<std::int32_t> forwardOfTag = forwardTags(tags.order);
    TagAssignment out{.order = {}, .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
    out.unknownTags = tags.unknownTags;
    out.unknownNodes = tags.unknownNodes;
    std::vector<std::uint8_t> hasForward(tags.order.size(), 0);
    for (const NodeId id : graph.nodes())
        if (tags[id] >= 0 && !training.isBackwardCall(id))
            hasForward[static_cast<std::size_t>(tags[id])] = 1;
    std::vector<std::int32_t> placeOf(tags.order.size(), -1);
    for (std::size_t tag = 0; tag < tags.order.size(); ++tag)
        if (forwardOfTag[tag] < 0 && (hasForward[tag] != 0 || !tags.order[tag].view().ends_with(kBackward))) {
            placeOf[tag] = static_cast<std::int32_t>(out.order.size());
            out.order.push_back(tags.order[tag]);
        }
    for (std::size_t tag = 0; tag < tags.order.size(); ++tag)
        if (forwardOfTag[tag] >= 0)
            placeOf[tag] = placeOf[static_cast<std::size_t>(forwardOfTag[tag])];
    for (const NodeId id : graph.nodes())
        if (tags[id] >= 0 && !training.isBackwardCall(id))
            out.tagOf[id.index()] = placeOf[static_cast<std::size_t>(tags[id])];
    return out;
}

TagAssignment withBackwardFollowing(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags,
                                    EmptyBackwardTags empty)
{
    if (!training.isTraining())
        return tags;
    TagAssignment out = onlyForwardTags(graph, training, tags);
    const std::vector<std::int32_t> stages = backwardStages(graph, training, out.tagOf);
    std::vector<std::int32_t> backwardTag(out.order.size(), empty == EmptyBackwardTags::keep ? 0 : -1);
    for (const NodeId id : graph.nodes())
        if (stages[id.index()] >= 0)
            backwardTag[static_cast<std::size_t>(stages[id.index()])] = 0;
    for (std::size_t stage = backwardTag.size(); stage-- > 0;)
        if (backwardTag[stage] == 0) {
            backwardTag[stage] = static_cast<std::int32_t>(out.order.size());
            out.order.push_back(backwardTagOf(out.order[stage]));
        }
    for (const NodeId id : graph.nodes())
        if (stages[id.index()] >= 0)
            out.tagOf[id.index()] = backwardTag[static_cast<std::size_t>(stages[id.index()])];
    return out;
}

bool backwardFollows(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags)
{
    if (!training.isTraining())
        return false;
    const auto nameOf = [](const TagAssignment& of, NodeId id) {
        return of[id] < 0 ? InternedString() : of.order[static_cast<std::size_t>(of[id])];
    };
    const TagAssignment following = withBackwardFollowing(graph, training, tags);
    bool isTagged = false;
    bool isSame = true;
    for (const NodeId id : graph.nodes())
        if (training.isBackwardCall(id)) {
            isTagged = isTagged || tags[id] >= 0;
            isSame = isSame && nameOf(tags, id) == nameOf(following, id);
        }
    return isSame || !isTagged;
}

} // namespace sunder
