#include "cli/automatic_tagging.h"

#include "analysis/sequence/boundary_move.h"
#include "cli/backward_option.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"
#include "tagging/automatic_tags.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace sunder::cli {
namespace {

/// The requested way of tagging.
struct AutomaticTagging {
    TaggingRequest wish;
    std::string begin = {}; ///< TAG=NAME: a boundary to move, instead of `wish`; may be empty
};

constexpr std::array kWays = {"stages", "depth", "pattern", "fill", "straighten", "begin"};

/// Returns the option that selects the way. --depth is a way only without --stages.
Result<std::string> wayOf(const Invocation& invocation)
{
    std::vector<std::string> asked;
    for (const char* way : kWays)
        if (invocation.isSet(way))
            asked.emplace_back(way);
    if (std::ranges::find(asked, "stages") != asked.end())
        std::erase(asked, "depth");
    if (asked.size() != 1)
        return fail(ErrorCode::usage,
                    "tag needs one of --stages K, --depth N, --pattern MODULES, --fill earliest|latest, --straighten, "
                    "or --begin TAG=NAME");
    if (asked.front() == "stages" && invocation.isSet("depth") && !invocation.isSet("at-modules"))
        return fail(ErrorCode::usage, "--stages K with --depth N needs --at-modules");
    return asked.front();
}

TaggingRequest wishOf(const Invocation& invocation, const std::string& way)
{
    using Way = TaggingRequest::Way;
    TaggingRequest wish;
    if (invocation.isSet("depth"))
        wish.depth = invocation.number("depth");
    if (way == "stages") {
        wish.stages = invocation.number("stages");
        wish.measure = invocation.value("by") == "nodes" ? StageMeasure::nodes : StageMeasure::bytes;
        if (invocation.isSet("at-modules"))
            wish.borders = TaggingRequest::Borders::modules;
    } else if (way == "straighten") {
        wish.way = Way::straighten;
    } else if (way == "depth") {
        wish.way = Way::byDepth;
    } else if (way == "pattern") {
        wish.way = Way::byPattern;
        wish.pattern = invocation.value("pattern");
    } else if (way == "fill") {
        wish.way = invocation.value("fill") == "latest" ? Way::fillLatest : Way::fillEarliest;
    }
    return wish;
}

void describeProposal(const TaggingProposal& proposal, Outcome& outcome)
{
    QJsonArray stages;
    for (const ProposedStage& stage : proposal.stages) {
        outcome.say(
            stage.name.str() + ": " + formatCount(stage.ops, "node") + ", " + formatBytes(stage.weightBytes)
            + (stage.begin.empty() ? std::string() : ", begins " + stage.begin)
            + (stage.crossingBytes > 0 ? ", sends " + formatBytes(stage.crossingBytes) + " to later stages" : std::string()));
        stages.append(QJsonObject{{QStringLiteral("tag"), text(stage.name.view())},
                                  {QStringLiteral("nodes"), static_cast<qint64>(stage.ops)},
                                  {QStringLiteral("bytes"), static_cast<qint64>(stage.weightBytes)},
                                  {QStringLiteral("used_bytes"), static_cast<qint64>(stage.usedBytes)},
                                  {QStringLiteral("crossing_bytes"), static_cast<qint64>(stage.crossingBytes)},
                                  {QStringLiteral("begins"), text(stage.begin)}});
    }
    outcome.say(proposal.why + " " + formatBytes(proposal.crossingBytes) + " sent between stages; " + describe(proposal.legality)
                + ".");
    outcome.json[QStringLiteral("stages")] = stages;
    outcome.json[QStringLiteral("why")] = text(proposal.why);
    outcome.json[QStringLiteral("changed")] = static_cast<qint64>(proposal.changed);
    outcome.json[QStringLiteral("crossing_bytes")] = static_cast<qint64>(proposal.crossingBytes);
    outcome.json[QStringLiteral("legal")] = proposal.legality.isLegal();
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
        return fail(ErrorCode::usage, "tag \"" + tag + "\" does not start a stage, so its beginning cannot be moved");
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

Result<AutomaticTagging> askedTagging(const Invocation& invocation)
{
    SUNDER_TRY(const std::string way, wayOf(invocation));
    AutomaticTagging asked{.wish = wishOf(invocation, way)};
    asked.wish.backward = backwardOf(invocation);
    if (way == "begin")
        asked.begin = invocation.value("begin");
    if (way == "begin" && asked.begin.find('=') == std::string::npos)
        return fail(ErrorCode::usage, "--begin takes TAG=NAME, a tag and the node or module where it begins, not " + asked.begin);
    return asked;
}

/// Computes the tags and describes the stages in `outcome`.
Result<ColoredTags> automaticTags(const Invocation& invocation, const Program& program, const AutomaticTagging& asked,
                                  Outcome& outcome)
{
    SUNDER_TRY(ColoredTags tags, tagsBefore(invocation, program));
    const auto sequence = std::make_shared<const ModelSequence>(
        modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program))));
    TaggingRequest wish = asked.wish;
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

std::span<const CommandOption> automaticTaggingOptions()
{
    static constexpr CommandOption kOptions[] = {
        CommandOption{Takes::number, "stages", "K", "Make K consecutive stages of about equal size."}.between(1, UINT32_MAX),
        CommandOption{Takes::word, "by", "bytes|nodes", "With --stages: measure of size, bytes (default) or nodes."}.usually(
            "bytes"),
        flag("at-modules", "With --stages: cut only where modules begin and end.").needing("stages"),
        CommandOption{Takes::number, "depth", "N",
                      "Make a stage of each module at depth N. With --at-modules: allow boundaries down to depth N."}
            .between(1, UINT32_MAX),
        {Takes::text, "pattern", "MODULES",
         "Make a stage of each module whose path matches a glob pattern, e.g. layers.*, or /regex/."},
        {Takes::word, "fill", "earliest|latest", "Give untagged nodes the earliest or the latest legal tag."},
        flag("straighten", "Make stages contiguous, with as few changes as possible."),
        {Takes::text, "begin", "TAG=NAME", "Move the beginning of TAG to a node or module."},
    };
    return kOptions;
}

bool tagsAutomatically(const Invocation& invocation)
{
    return std::ranges::any_of(kWays, [&](const char* way) { return invocation.isSet(way); });
}

Result<Outcome> runAutomaticTagging(const Invocation& invocation)
{
    SUNDER_TRY(const AutomaticTagging asked, askedTagging(invocation));
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    Outcome outcome;
    SUNDER_TRY(const ColoredTags tags,
               invocation.timer.measure("pass", [&] { return automaticTags(invocation, program, asked, outcome); }));
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeColoredTags(program, tags, at); }));
    return outcome;
}

} // namespace sunder::cli
