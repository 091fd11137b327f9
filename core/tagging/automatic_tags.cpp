// Creates tags in various ways. All results are measured by the same cut metrics.
#include "tagging/automatic_tags.h"

#include "analysis/cut/cut_metrics.h"
#include "analysis/sequence/module_stages.h"
#include "analysis/training/backward_tags.h"
#include "support/format.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <cctype>

namespace sunder {
namespace {

struct MadeTags {
    TagAssignment tags;
    std::string why;
};

std::string measureText(StageMeasure measure)
{
    return measure == StageMeasure::bytes ? "bytes" : "numbers of ops";
}

Result<MadeTags> equalStages(const Program& program, const ModelSequence& sequence, const TaggingRequest& wish,
                             ProgressMonitor& monitor)
{
    const std::string stages = formatCount(wish.stages, "stage");
    if (wish.borders == TaggingRequest::Borders::anywhere) {
        SUNDER_TRY(TagAssignment made, consecutiveStages(program, wish.stages, wish.measure, wish.backward, monitor));
        return MadeTags{std::move(made),
                        stages + " with roughly equal " + measureText(wish.measure) + ", cut between any two ops."};
    }
    const std::uint32_t asked = std::min<std::uint32_t>(wish.depth, ModelSequence::kMaxDepth);
    const auto depth = asked > 0 ? static_cast<std::uint8_t>(asked) : depthWithBorders(sequence, std::max(1U, wish.stages) - 1);
    SUNDER_TRY(TagAssignment made, stagesAtBorders(sequence, wish.stages, wish.measure, depth, monitor));
    return MadeTags{std::move(made),
                    stages + ", cut at module boundaries of depth " + std::to_string(depth)
                        + " or less; this is the best balance of " + measureText(wish.measure) + " for " + stages
                        + " at these boundaries."};
}

/// Returns the number of ops for which no tag is legal: their earliest allowed tag is after the latest one.
std::size_t withoutLegalTag(std::span<const std::pair<NodeId, int>> earliest, std::span<const std::pair<NodeId, int>> latest)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < earliest.size(); ++i) // both are in graph order and for the same ops
        count += earliest[i].second > latest[i].second ? 1 : 0;
    return count;
}

Result<MadeTags> filledIn(const Program& program, const TagAssignment& tags, TaggingRequest::Way way)
{
    const bool isLatest = way == TaggingRequest::Way::fillLatest;
    if (tags.order.empty())
        return fail(ErrorCode::refused, "there is no tag to assign; add one first");
    const Graph& graph = program.rootGraph();
    const auto earliest = earliestTags(graph, tags);
    const auto latest = latestTags(graph, tags);
    MadeTags made{tags, {}};
    made.tags.tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    for (const auto& [node, tag] : isLatest ? latest : earliest)
        made.tags.tagOf[node.index()] = tag;
    if (earliest.empty()) {
        made.why = "There are no untagged ops.";
        return made;
    }
    made.why = formatCount(earliest.size(), "untagged op") + (earliest.size() == 1 ? " gets" : " get") + " the "
        + (isLatest ? "latest" : "earliest") + " tag that " + (earliest.size() == 1 ? "its" : "their")
        + (isLatest ? " users allow." : " inputs allow.");
    if (const std::size_t without = withoutLegalTag(earliest, latest); without > 0)
        made.why += " " + formatCount(without, "op") + (without == 1 ? " has" : " have")
            + " no legal tag, because a user has an earlier tag than an input.";
    return made;
}

MadeTags straightenedTags(const ModelSequence& sequence, const TagAssignment& tags)
{
    Straightening straight = straightened(sequence, tags);
    std::string why = describe(straight) + ".";
    why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
    return {std::move(straight.tags), std::move(why)};
}

Result<MadeTags> byModules(const ModelSequence& sequence, const TaggingRequest& wish)
{
    const bool isPattern = wish.way == TaggingRequest::Way::byPattern;
    const std::uint32_t depth = std::max(1U, wish.depth);
    Result<TextPattern> pattern = TextPattern::parse(wish.pattern);
    if (isPattern)
        SUNDER_PROPAGATE(pattern);
    if (isPattern && wish.pattern.empty())
        return fail(ErrorCode::refused, "no module pattern given; write e.g. layers.*");
    SUNDER_TRY(TagAssignment made, isPattern ? stagesByPattern(sequence, *pattern) : stagesByDepth(sequence, depth));
    const std::string which = isPattern
        ? "One stage per module that matches \"" + wish.pattern + "\";"
        : "One stage per module at depth " + std::to_string(depth) + ", or at the maximum depth of its branch;";
    return MadeTags{std::move(made), which + " ops between two stages are divided where the transfer is smallest."};
}

/// Returns, per tag, the bytes that pass from it and earlier tags to later ones.
std::vector<std::uint64_t> crossingBehind(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::size_t tags)
{
    std::vector<std::uint64_t> bytes(tags + 1, 0);
    for (std::uint32_t value = 0; value < graph.callCount; ++value) {
        std::int32_t first = partOf[value];
        std::int32_t last = partOf[value];
        if (first < 0)
            continue;
        for (const std::uint32_t reader : graph.readers[value])
            if (partOf[reader] >= 0) {
                first = std::min(first, partOf[reader]);
                last = std::max(last, partOf[reader]);
            }
        bytes[static_cast<std::size_t>(first)] += graph.bytes[value];
        bytes[static_cast<std::size_t>(last)] -= graph.bytes[value]; // wraps around and back
    }
    for (std::size_t tag = 1; tag < bytes.size(); ++tag)
        bytes[tag] += bytes[tag - 1];
    return bytes;
}

std::size_t changedCalls(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after)
{
    const auto nameOf = [](const TagAssignment& tags, NodeId id) {
        return tags[id] < 0 ? InternedString() : tags.order[static_cast<std::size_t>(tags[id])];
    };
    std::size_t count = 0;
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        count += nameOf(before, graph.nodes[call]) != nameOf(after, graph.nodes[call]) ? 1 : 0;
    return count;
}

std::size_t newlyTaggedCalls(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after)
{
    std::size_t count = 0;
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        count += before[graph.nodes[call]] < 0 && after[graph.nodes[call]] >= 0 ? 1 : 0;
    return count;
}

} // namespace

TaggingProposal measuredTags(const Program& program, const ModelSequence& sequence, const TagAssignment& before,
                             TagAssignment tags, std::string why)
{
    const CutGraph& graph = *sequence.graph;
    TaggingProposal out{.tags = std::move(tags), .stages = {}, .why = std::move(why)};
    const CutMetrics metrics = cutMetrics(graph, out.tags);
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, out.tags);
    const std::vector<std::uint64_t> crossing = crossingBehind(graph, partOf, out.tags.order.size());
    std::vector<std::uint32_t> begin(out.tags.order.size(), CutGraph::kNone);
    for (std::uint32_t call = graph.callCount; call-- > 0;)
        if (partOf[call] >= 0)
            begin[static_cast<std::size_t>(partOf[call])] = call;
    for (std::size_t tag = 0; tag < out.tags.order.size(); ++tag) {
        const PartSizes& sizes = metrics.parts[tag].sizes;
        out.stages.push_back({out.tags.order[tag], sizes.ops, sizes.parameterBytes, sizes.usedBytes(), crossing[tag],
                              sizes.ops == 0 ? std::string() : describePlace(sequence, program.rootGraph(), begin[tag])});
        out.largestBytes = std::max(out.largestBytes, sizes.usedBytes());
    }
    out.changed = changedCalls(graph, before, out.tags);
    out.newlyTagged = newlyTaggedCalls(graph, before, out.tags);
    out.legality = legalityOf(graph, partOf);
    out.crossingBytes = metrics.crossingBytes;
    return out;
}

namespace {

Result<MadeTags> madeTags(const Program& program, const ModelSequence& sequence, const TagAssignment& tags,
                          const TaggingRequest& wish, ProgressMonitor& monitor)
{
    using Way = TaggingRequest::Way;
    switch (wish.way) {
    case Way::equalStages: return equalStages(program, sequence, wish, monitor);
    case Way::fillEarliest:
    case Way::fillLatest: return filledIn(program, tags, wish.way);
    case Way::straighten: return straightenedTags(sequence, tags);
    case Way::byDepth:
    case Way::byPattern: break;
    }
    return byModules(sequence, wish);
}

/// Tags the forward pass; the backward calls follow.
Result<MadeTags> madeForward(const Program& program, const TrainingGraph& training, const TagAssignment& tags,
                             const TaggingRequest& wish, ProgressMonitor& monitor)
{
    const Program forward = forwardProgram(program, training);
    const bool isAnywhere = wish.way == TaggingRequest::Way::equalStages && wish.borders == TaggingRequest::Borders::anywhere;
    SUNDER_TRY(CutGraph graph, cutGraph(forward, monitor));
    const ModelSequence sequence = modelSequence(forward, std::make_shared<const CutGraph>(std::move(graph)));
    Result<MadeTags> made = madeTags(isAnywhere ? program : forward, sequence,
                                     onlyForwardTags(forward.rootGraph(), training, tags), wish, monitor);
    if (!made)
        return made;
    made->tags = withBackwardFollowing(program.rootGraph(), training, made->tags);
    made->why += " " + formatCount(training.backwardCalls, "op") + " of the backward pass "
        + (training.backwardCalls == 1 ? "follows its forward op." : "follow their forward ops.");
    return made;
}

} // namespace

Result<TaggingProposal> proposeTags(const Program& program, const ModelSequence& sequence, const TagAssignment& tags,
                                    const TaggingRequest& wish, ProgressMonitor& monitor)
{
    TrainingGraph training;
    if (wish.backward == BackwardTags::follow) {
        SUNDER_TRY(training, trainingGraph(program, monitor));
    }
    SUNDER_TRY(MadeTags made,
               training.isTraining() ? madeForward(program, training, tags, wish, monitor)
                                     : madeTags(program, sequence, tags, wish, monitor));
    return measuredTags(program, sequence, tags, std::move(made.tags), std::move(made.why));
}

} // namespace sunder
