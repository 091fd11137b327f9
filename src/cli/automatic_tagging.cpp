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

Result<std::uint32_t> numberOf(const Invocation& invocation, const char* option)
{
    bool isNumber = false;
    const uint number = invocation.options.value(QLatin1String(option)).toUInt(&isNumber);
    if (!isNumber || number == 0)
        return fail(ErrorCode::usage, std::string("--") + option + " takes a number above 0, not " + invocation.value(option));
    return number;
}

Result<StageMeasure> measureOf(const std::string& word)
{
    if (word == "bytes")
        return StageMeasure::bytes;
    if (word == "nodes")
        return StageMeasure::nodes;
    return fail(ErrorCode::usage, "--by takes bytes or nodes, not " + word);
}

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
    const bool isAtModules = invocation.isSet("at-modules");
    if ((isAtModules && asked.front() != "stages") || (asked.front() == "stages" && invocation.isSet("depth") && !isAtModules))
        return fail(ErrorCode::usage, "--at-modules needs --stages K; --stages K with --depth N needs --at-modules");
    return asked.front();
}

Result<TaggingRequest> equalStagesOf(const Invocation& invocation, TaggingRequest wish)
{
    const Result<std::uint32_t> stages = numberOf(invocation, "stages");
    const Result<StageMeasure> measure = measureOf(invocation.value("by"));
    if (!stages)
        return forward(stages);
    if (!measure)
        return forward(measure);
    wish.stages = *stages;
    wish.measure = *measure;
    if (invocation.isSet("at-modules"))
        wish.borders = TaggingRequest::Borders::modules;
    return wish;
}

Result<TaggingRequest> wishOf(const Invocation& invocation, const std::string& way)
{
    TaggingRequest wish;
    if (invocation.isSet("depth")) {
        SUNDER_TRY(const std::uint32_t depth, numberOf(invocation, "depth"));
        wish.depth = depth;
    }
    if (way == "stages")
        return equalStagesOf(invocation, wish);
    if (way == "straighten")
        wish.way = TaggingRequest::Way::straighten;
    if (way == "depth")
        wish.way = TaggingRequest::Way::byDepth;
    if (way == "pattern") {
        wish.way = TaggingRequest::Way::byPattern;
        wish.pattern = invocation.value("pattern");
    }
    if (way == "fill") {
        const std::string word = invocation.value("fill");
        if (word != "earliest" && word != "latest")
            return fail(ErrorCode::usage, "--fill takes earliest or latest, not " + word);
        wish.way = word == "latest" ? TaggingRequest::Way::fillLatest : TaggingRequest::Way::fillEarliest;
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
    SUNDER_TRY(TaggingRequest wish, wishOf(invocation, way));
    SUNDER_TRY(const BackwardTags backward, backwardOf(invocation));
    wish.backward = backward;
    AutomaticTagging asked{.wish = std::move(wish)};
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

void declareAutomaticTagging(QCommandLineParser& parser)
{
    const auto option = [&parser](const char* name, const char* what, const char* value = "", const char* usual = "") {
        parser.addOption({QLatin1String(name), QLatin1String(what), QLatin1String(value), QLatin1String(usual)});
    };
    option("stages", "Make K consecutive stages of about equal size.", "K");
    option("by", "With --stages: measure of size, bytes (default) or nodes.", "bytes|nodes", "bytes");
    option("at-modules", "With --stages: cut only where modules begin and end.");
    option("depth", "Make a stage of each module at depth N. With --at-modules: allow boundaries down to depth N.", "N");
    option("pattern", "Make a stage of each module whose path matches a glob pattern, e.g. layers.*, or /regex/.", "MODULES");
    option("fill", "Give untagged nodes the earliest or the latest legal tag.", "earliest|latest");
    option("straighten", "Make stages contiguous, with as few changes as possible.");
    option("begin", "Move the beginning of TAG to a node or module.", "TAG=NAME");
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
    const Result<void> written = invocation.outputs.write(
        invocation.value("o"), [&](const std::string& at) { return writeColoredTags(program, tags, at); });
    if (!written)
        return forward(written);
    return outcome;
}

} // namespace sunder::cli
