#include "cli/automatic_tagging.h"

#include "analysis/sequence/boundary_move.h"
#include "cli/backward_option.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"

#include <algorithm>

namespace sunder::cli {
namespace {

void describeProposal(const TaggingProposal& proposal, Outcome& outcome)
{
    JsonWriter& json = outcome.json;
    json.key("stages");
    json.list(proposal.stages, [&](const ProposedStage& stage) {
        outcome.say(
            stage.name.str() + ": " + formatCount(stage.ops, "op") + ", " + formatBytes(stage.weightBytes)
            + (stage.begin.empty() ? std::string() : ", begins " + stage.begin)
            + (stage.crossingBytes > 0 ? ", sends " + formatBytes(stage.crossingBytes) + " to later stages" : std::string()));
        json.object([&] {
            json.member("tag", stage.name.view());
            json.member("nodes", stage.ops);
            json.member("bytes", stage.weightBytes);
            json.member("used_bytes", stage.usedBytes);
            json.member("crossing_bytes", stage.crossingBytes);
            json.member("begins", stage.begin);
        });
    });
    outcome.say(proposal.why + " " + formatBytes(proposal.crossingBytes) + " sent between stages; " + describe(proposal.legality)
                + ".");
    json.member("why", proposal.why);
    json.member("changed", proposal.changed);
    json.member("crossing_bytes", proposal.crossingBytes);
    json.member("legal", proposal.legality.isLegal());
}

/// Parses TAG=NAME and moves the boundary before stage TAG to before the node or module NAME.
Result<TaggingProposal> movedBegin(const std::string& wish, const Program& program, const TrainingGraph& training,
                                   const std::shared_ptr<const ModelSequence>& sequence, const TagAssignment& tags)
{
    const std::size_t equals = wish.find('=');
    const std::string tag = wish.substr(0, equals);
    const std::string name = wish.substr(equals + 1);
    const CutSequence cut = cutSequence(*sequence, partsOfCalls(*sequence->graph, tags), tags.order.size());
    const auto border = std::ranges::find_if(
        cut.borders, [&](const CutBoundary& one) { return tags.order[static_cast<std::size_t>(one.after)].view() == tag; });
    if (border == cut.borders.end())
        return fail(ErrorCode::usage, "tag \"" + tag + "\" does not follow another stage, so its beginning cannot be moved");
    if (training.isTraining() && forwardTags(tags.order)[static_cast<std::size_t>(border->after)] >= 0)
        return fail(ErrorCode::refused,
                    "tag \"" + tag
                        + "\" follows the forward pass; move the beginning of its forward tag, or use --backward apart");
    const std::optional<std::uint32_t> place = placeInFrontOf(*sequence, program.rootGraph(), name);
    if (!place)
        return fail(ErrorCode::usage, "no op or called module is named \"" + name + "\"");
    SUNDER_TRY(TagAssignment moved, withBorderAt(sequence, tags, static_cast<std::size_t>(border - cut.borders.begin()), *place));
    return measuredTags(program, *sequence, tags, withBackwardFollowing(program.rootGraph(), training, moved),
                        tag + " now begins " + describePlace(*sequence, program.rootGraph(), *place) + ".");
}

Result<ColoredTags> tagsBefore(const Invocation& invocation, const Program& program)
{
    return invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags")) : ownColoredTags(program);
}

/// Computes the tags and describes the stages in `outcome`.
Result<ColoredTags> automaticTags(const Invocation& invocation, const Program& program, const AutomaticTagging& asked,
                                  Outcome& outcome)
{
    SUNDER_TRY(ColoredTags tags, tagsBefore(invocation, program));
    const auto sequence = std::make_shared<const ModelSequence>(
        modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program))));
    TaggingRequest wish = asked.wish;
    wish.backward = backwardOf(invocation);
    TrainingGraph training = followedBackward(invocation, program, wish.backward, outcome);
    const bool changesTags = !asked.begin.empty() || wish.way >= TaggingRequest::Way::fillEarliest;
    if (changesTags && !invocation.isSet("backward") && !backwardFollows(program.rootGraph(), training, tags.tags)) {
        wish.backward = BackwardTags::apart; // keep the backward pass tagged separately, as in the given tags
        training = {};
    }
    SUNDER_TRY(TaggingProposal proposal,
               asked.begin.empty() ? proposeTags(program, *sequence, tags.tags, wish, invocation.monitor)
                                   : movedBegin(asked.begin, program, training, sequence, tags.tags));
    describeProposal(proposal, outcome);
    tags.tags = std::move(proposal.tags);
    return tags;
}

} // namespace

AutomaticTagging fillingOf(const std::string& word)
{
    return {.wish = {.way = word == "latest" ? TaggingRequest::Way::fillLatest : TaggingRequest::Way::fillEarliest}};
}

Result<AutomaticTagging> beginningOf(const std::string& words, const std::string& spelling)
{
    if (words.find('=') == std::string::npos)
        return fail(ErrorCode::usage, spelling + " takes TAG=NAME, a tag and the node or module where it begins, not " + words);
    return AutomaticTagging{.wish = {}, .begin = words};
}

Result<Outcome> runAutomaticTagging(const Invocation& invocation, const AutomaticTagging& asked)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    Outcome outcome;
    SUNDER_TRY(const ColoredTags tags,
               invocation.timer.measure("pass", [&] { return automaticTags(invocation, program, asked, outcome); }));
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeColoredTags(program, tags, at); }));
    return outcome;
}

} // namespace sunder::cli
