#include "analysis/rules/tag_rules.h"
#include "cli/automatic_tagging.h"
#include "cli/backward_option.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/old_export.h"
#include "cli/tag_edits.h"
#include "cli/tags.h"
#include "io/side_files/alignment_report.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/rules_file.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace sunder::cli {
namespace {

/// Reads the old export. --tags replaces its tags.
Result<OldExport> readOld(const Invocation& invocation)
{
    const std::string path = invocation.value("from");
    Result<OldExport> old = readOldExport(invocation, path);
    if (!old)
        return old;
    if (invocation.isSet("tags")) {
        SUNDER_TRY(TagsFile given, readTagsFile(invocation.value("tags")));
        old->tags = std::move(given);
    } else if (old->tags.tags.empty()) {
        return fail(ErrorCode::usage, "tag --from needs --tags TAGS.json: " + path + " has no tags");
    }
    return old;
}

/// Adds a missing order: tags in the order of first use in the file.
void completeOrder(TagsFile& tags)
{
    if (!tags.order.empty())
        return;
    for (const auto& [node, tag] : tags.tags)
        if (std::ranges::find(tags.order, tag) == tags.order.end())
            tags.order.push_back(tag);
}

/// Lists the first calls of each match kind, and the number of others.
void listCalls(const AlignmentReport& report, Outcome& outcome)
{
    constexpr std::size_t kShown = 20;
    for (const MatchKind kind :
         {MatchKind::structure, MatchKind::moved, MatchKind::inPlace, MatchKind::undecided, MatchKind::added}) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < report.alignment.calls.size(); ++i) {
            const AlignedCall& call = report.alignment.calls[i];
            if (call.kind != kind || ++count > kShown)
                continue;
            const CarriedTag& tag = report.carried.calls[i];
            const std::string got = tag.tag >= 0 ? report.order[static_cast<std::size_t>(tag.tag)].str() : "no tag";
            outcome.say("  " + report.now.nodes[call.node].name.str() + " " + reasonOf(report.old, call, tag) + ": " + got);
        }
        if (count > kShown)
            outcome.say("  and " + formatCount(count - kShown) + " more (" + std::string(name(kind)) + ")");
    }
    for (std::size_t i = 0; i < std::min(kShown, report.alignment.lost.size()); ++i)
        outcome.say("  " + report.old.nodes[report.alignment.lost[i]].name.str() + " has no match");
    if (report.alignment.lost.size() > kShown)
        outcome.say("  and " + formatCount(report.alignment.lost.size() - kShown) + " more without a match");
}

void describe(const AlignmentReport& report, Outcome& outcome)
{
    outcome.say(summaryOf(report.carried, report.alignment));
    listCalls(report, outcome);
    QJsonObject counts;
    for (std::size_t kind = 0; kind < kMatchKinds; ++kind)
        counts[text(name(static_cast<MatchKind>(kind)))] = static_cast<qint64>(report.carried.counts[kind]);
    counts[QStringLiteral("lost")] = static_cast<qint64>(report.alignment.lost.size());
    counts[QStringLiteral("untagged")] = static_cast<qint64>(report.carried.untagged);
    outcome.json[QStringLiteral("counts")] = counts;
    if (report.carried.untagged > 0)
        outcome.warnings.push_back(formatCount(report.carried.untagged, "op") + " got no tag");
}

/// Runs `tag NEW --from OLD`: transfers the tags of another export to matching ops.
Result<Outcome> runTagsOver(const Invocation& invocation)
{
    SUNDER_TRY(OldExport old, readOld(invocation));
    completeOrder(old.tags);
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const GraphIdentity now = identityOf(program);
    SUNDER_TRY(const GraphAlignment alignment,
               invocation.timer.measure("pass", [&] { return alignGraphs(old.identity, now, invocation.monitor); }));
    const std::vector<std::int32_t> before = oldTags(old.identity, old.tags.order, old.tags.tags);
    const CarriedTags carried = carriedTags(now, alignment, before);
    const AlignmentReport report{old.identity, now, alignment, carried, old.tags.order, before};
    const ColoredTags tags{.tags = assignmentOf(program, alignment, carried, old.tags.order), .colors = old.tags.colors};
    Result<void> written = invocation.outputs.write(invocation.value("o"),
                                                    [&](const std::string& at) { return writeColoredTags(program, tags, at); });
    if (written && invocation.isSet("report"))
        written = invocation.outputs.write(invocation.value("report"),
                                           [&](const std::string& at) { return writeAlignmentReport(report, at); });
    SUNDER_PROPAGATE(written);
    Outcome outcome;
    describe(report, outcome);
    return outcome;
}

/// Writes the identities of the ops of IN, for use after the export has been replaced.
Result<Outcome> runIdentity(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const GraphIdentity identity = identityOf(program);
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("identity"),
                                              [&](const std::string& at) { return writeIdentityFile(identity, at); }));
    Outcome outcome;
    outcome.say("wrote the identities of " + formatCount(identity.nodes.size(), "node"));
    outcome.json[QStringLiteral("nodes")] = static_cast<qint64>(identity.nodes.size());
    return outcome;
}

void describeRules(const TagRules& rules, const PaintedRules& painted, Outcome& outcome)
{
    QJsonArray said;
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        const RuleEffect& effect = painted.effects[i];
        const std::string what = describe(rules.rules[i]);
        std::string line = std::to_string(i + 1) + ". " + what + ": " + formatCount(effect.painted.size(), "op") + ", "
            + formatBytes(effect.bytes);
        if (effect.painted.size() != effect.matched)
            line += ", of " + formatCount(effect.matched) + " matching ops; later rules tag the others";
        outcome.say(std::move(line));
        if (effect.matched == 0)
            outcome.warnings.push_back("rule " + std::to_string(i + 1) + " matches no op: " + what);
        said.append(QJsonObject{{QStringLiteral("rule"), text(what)},
                                {QStringLiteral("ops"), static_cast<qint64>(effect.painted.size())},
                                {QStringLiteral("fits"), static_cast<qint64>(effect.matched)},
                                {QStringLiteral("bytes"), static_cast<qint64>(effect.bytes)}});
    }
    outcome.json[QStringLiteral("rules")] = said;
}

/// Runs `tag IN --rules RULES.json`: tags a model by rules.
Result<Outcome> runTagsByRules(const Invocation& invocation)
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
    outcome.json[QStringLiteral("untagged")] = static_cast<qint64>(untagged);
    if (untagged > 0)
        outcome.say(formatCount(untagged, "op") + " without a tag");
    return outcome;
}

constexpr CommandOption kTagOptions[] = {
    {Takes::input, "from", "OLD", "Transfer the tags of a previous export: a model, a project, or a file of --identity."},
    CommandOption{Takes::output, "report", "REPORT.json", "With --from: write how each op was matched, and why."}.needing("from"),
    {Takes::output, "identity", "IDENTITY.json", "Write the identities of the ops of IN, for a later --from."},
    {Takes::input, "rules", "RULES.json", "Tag by rules. Tags from --tags take precedence."},
    {Takes::input, "tags", "TAGS.json", "Tags to edit, instead of those in the model. With --from: the tags of OLD."},
    {Takes::output, "o", "TAGS.json", "Tags file to write."},
};

Result<Outcome> runTag(const Invocation& invocation)
{
    const bool isAutomatic = tagsAutomatically(invocation);
    const bool isEdited = editsTags(invocation);
    const std::array ways{isAutomatic, isEdited, invocation.isSet("from"), invocation.isSet("rules"),
                          invocation.isSet("identity")};
    if (std::ranges::count(ways, true) != 1)
        return fail(
            ErrorCode::usage,
            "tag needs one of --stages K, --depth N, --pattern MODULES, --fill earliest|latest, --straighten, "
            "--begin TAG=NAME, --from OLD, --rules RULES.json, --identity IDENTITY.json, or any of --rename, --merge, and --order");
    if (invocation.isSet("identity"))
        return runIdentity(invocation);
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    if (isAutomatic)
        return runAutomaticTagging(invocation);
    if (isEdited)
        return runTagEdits(invocation);
    return invocation.isSet("from") ? runTagsOver(invocation) : runTagsByRules(invocation);
}

} // namespace

Command tagCommand()
{
    return {"tag", "IN", "Tag a model automatically, by rules, or like a previous export, or edit its tags.",
            joined({automaticTaggingOptions(), tagEditOptions(), kBackwardOption, kTagOptions}), runTag};
}

} // namespace sunder::cli
