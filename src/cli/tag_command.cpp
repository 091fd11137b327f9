#include "analysis/rules/tag_rules.h"
#include "cli/automatic_tagging.h"
#include "cli/backward_option.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "cli/tags_commands.h"
#include "io/side_files/rules_file.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace sunder::cli {

Command tagsStraightenCommand();
Command transferCommand();

namespace {

Result<Outcome> runStages(const Invocation& invocation)
{
    const bool isAtModules = invocation.isSet("at-modules");
    if (invocation.isSet("depth") && !isAtModules)
        return fail(ErrorCode::usage, "--stages K with --depth N needs --at-modules");
    return runAutomaticTagging(
        invocation,
        {.wish = {.stages = invocation.number("stages"),
                  .measure = invocation.value("by") == "nodes" ? StageMeasure::nodes : StageMeasure::bytes,
                  .borders = isAtModules ? TaggingRequest::Borders::modules : TaggingRequest::Borders::anywhere,
                  .depth = invocation.number("depth")}});
}

Result<Outcome> runDepth(const Invocation& invocation)
{
    return runAutomaticTagging(invocation, {.wish = {.way = TaggingRequest::Way::byDepth, .depth = invocation.number("depth")}});
}

Result<Outcome> runPattern(const Invocation& invocation)
{
    return runAutomaticTagging(invocation,
                               {.wish = {.way = TaggingRequest::Way::byPattern, .pattern = invocation.value("pattern")}});
}

void describeRules(const TagRules& rules, const PaintedRules& painted, Outcome& outcome)
{
    JsonWriter& json = outcome.json;
    json.key("rules");
    json.list(std::views::iota(std::size_t{0}, rules.rules.size()), [&](std::size_t i) {
        const RuleEffect& effect = painted.effects[i];
        const std::string what = describe(rules.rules[i]);
        std::string line = std::to_string(i + 1) + ". " + what + ": " + formatCount(effect.painted.size(), "op") + ", "
            + formatBytes(effect.bytes);
        if (effect.painted.size() != effect.matched)
            line += ", of " + formatCount(effect.matched) + " matching ops; later rules tag the others";
        outcome.say(std::move(line));
        if (effect.matched == 0)
            outcome.warnings.push_back("rule " + std::to_string(i + 1) + " matches no op: " + what);
        json.object([&] {
            json.member("rule", what);
            json.member("ops", effect.painted.size());
            json.member("fits", effect.matched);
            json.member("bytes", effect.bytes);
        });
    });
}

/// Tags a model by the rules of --rules.
Result<Outcome> runRules(const Invocation& invocation)
{
    SUNDER_TRY(const TagRules file, readRulesFile(invocation.value("rules")));
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    ColoredTags own{.tags = {.tagOf = std::vector<std::int32_t>(program.rootGraph().idBound(), TagAssignment::kUntagged)}};
    if (invocation.isSet("tags")) {
        SUNDER_TRY(ColoredTags given, readColoredTags(program, invocation.value("tags")));
        own = std::move(given);
    }
    std::vector<InternedString> order = own.tags.order;
    for (const InternedString tag : file.order)
        if (std::ranges::find(order, tag) == order.end())
            order.push_back(tag);
    own.tags.order = order;
    Outcome outcome;
    const BackwardTags backward = backwardOf(invocation);
    const TrainingGraph training = followedBackward(invocation, program, backward, outcome);
    const Snapshot snapshot(std::move(program));
    SUNDER_TRY(const PaintedRules painted,
               invocation.timer.measure("pass", [&] { return paintRules(snapshot, file, order, backward); }));
    own.tags = withBackwardFollowing(snapshot.graph(), training, withGround(own.tags, {}, painted));
    SUNDER_PROPAGATE(invocation.outputs.write(
        invocation.value("o"), [&](const std::string& at) { return writeColoredTags(snapshot.program, own, at); }));
    describeRules(file, painted, outcome);
    std::size_t untagged = 0;
    for (const NodeId id : snapshot.graph().nodes())
        untagged += snapshot.isCall(id) && own.tags[id] == TagAssignment::kUntagged ? 1 : 0;
    outcome.json.member("untagged", untagged);
    if (untagged > 0)
        outcome.say(formatCount(untagged, "op") + " without a tag");
    return outcome;
}

// Old spellings of other commands.

Result<Outcome> runOldFill(const Invocation& invocation)
{
    return runAutomaticTagging(invocation, fillingOf(invocation.value("fill")));
}

Result<Outcome> runOldStraighten(const Invocation& invocation)
{
    return tagsStraightenCommand().run(invocation);
}

Result<Outcome> runOldBegin(const Invocation& invocation)
{
    SUNDER_TRY(const AutomaticTagging beginning, beginningOf(invocation.value("begin"), "--begin"));
    return runAutomaticTagging(invocation, beginning);
}

Result<Outcome> runOldEdits(const Invocation& invocation)
{
    const auto values = [&](const char* option) {
        std::vector<std::string> all;
        for (const QString& value : invocation.options.values(QLatin1String(option)))
            all.push_back(value.toStdString());
        return all;
    };
    return runTagEdits(invocation, {values("rename"), values("merge"), values("order"), "--"});
}

Result<Outcome> runOldTransfer(const Invocation& invocation)
{
    return transferCommand().run(invocation);
}

/// A way to tag, and the option that selects it.
struct Way {
    const char* option;
    Result<Outcome> (*run)(const Invocation& invocation);
    const char* command = ""; ///< that has this way now; the option still works
};

constexpr std::array kWays{Way{"stages", runStages},
                           Way{"depth", runDepth},
                           Way{"pattern", runPattern},
                           Way{"rules", runRules},
                           Way{"fill", runOldFill, "tags fill"},
                           Way{"straighten", runOldStraighten, "tags straighten"},
                           Way{"begin", runOldBegin, "tags begin"},
                           Way{"rename", runOldEdits, "tags rename"},
                           Way{"merge", runOldEdits, "tags merge"},
                           Way{"order", runOldEdits, "tags order"},
                           Way{"from", runOldTransfer, "transfer"},
                           Way{"identity", runOldTransfer, "transfer"}};

constexpr CommandOption kTagOptions[] = {
    CommandOption{Takes::number, "stages", "K", "Make K consecutive stages of about equal size."}.between(1, UINT32_MAX),
    CommandOption{Takes::word, "by", "bytes|nodes", "With --stages: measure of size, bytes (default) or nodes."}.usually("bytes"),
    flag("at-modules", "With --stages: cut only where modules begin and end.").needing("stages"),
    CommandOption{Takes::number, "depth", "N",
                  "Make each module at depth N a stage. With --at-modules: allow boundaries down to depth N."}
        .between(1, UINT32_MAX),
    {Takes::text, "pattern", "MODULES",
     "Make each module with a matching path a stage: a glob pattern, e.g. layers.*, or /regex/."},
    {Takes::input, "rules", "RULES.json", "Tag by rules. Tags from --tags take precedence."},
    {Takes::input, "tags", "TAGS.json", "Previous tags and their colors, instead of those in the model."},
    {Takes::output, "o", "TAGS.json", "Tags file to write."},
};

constexpr CommandOption kOldOptions[] = {
    CommandOption{Takes::word, "fill", "earliest|latest"}.hidden(),
    flag("straighten", "").hidden(),
    CommandOption{Takes::text, "begin", "TAG=NAME"}.hidden(),
    CommandOption{Takes::text, "rename", "A=B"}.repeatable().hidden(),
    CommandOption{Takes::text, "merge", "A,B"}.repeatable().hidden(),
    CommandOption{Takes::text, "order", "A,B,…|topological"}.hidden(),
    CommandOption{Takes::input, "from", "OLD"}.hidden(),
    CommandOption{Takes::output, "report", "REPORT.json"}.needing("from").hidden(),
    CommandOption{Takes::output, "identity", "IDENTITY.json"}.hidden(),
};

/// Returns the ways that the options select, all with the same function. --depth is a way only without --stages.
Result<std::vector<Way>> waysOf(const Invocation& invocation)
{
    std::vector<Way> asked;
    for (const Way& way : kWays)
        if (invocation.isSet(way.option) && !(way.run == runDepth && invocation.isSet("stages")))
            asked.push_back(way);
    if (asked.empty() || std::ranges::any_of(asked, [&](const Way& way) { return way.run != asked.front().run; }))
        return fail(ErrorCode::usage, "tag needs one of --stages K, --depth N, --pattern MODULES, or --rules RULES.json");
    if (!invocation.isSet("o") && !invocation.isSet("identity"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    return asked;
}

/// Returns a note that names the new spelling of these ways.
std::string noteOf(const std::vector<Way>& ways)
{
    std::string before;
    std::string now;
    for (const Way& way : ways) {
        before += (before.empty() ? "tag --" : ", --") + std::string(way.option);
        now += (now.empty() ? "sunder-cli " : ", sunder-cli ") + std::string(way.command);
    }
    return "note: " + before + " is now " + now;
}

Result<Outcome> runTag(const Invocation& invocation)
{
    SUNDER_TRY(const std::vector<Way> ways, waysOf(invocation));
    Result<Outcome> outcome = ways.front().run(invocation);
    if (outcome && *ways.front().command != '\0' && !invocation.isSet("quiet"))
        outcome->warnings.push_back(noteOf(ways));
    return outcome;
}

} // namespace

Command tagCommand()
{
    return {"tag", "IN", "Tag a model in stages, by modules, or by rules.", joined({kTagOptions, kBackwardOption, kOldOptions}),
            runTag};
}

} // namespace sunder::cli
