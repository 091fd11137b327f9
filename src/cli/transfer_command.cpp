#include "cli/command.h"
#include "cli/files.h"
#include "cli/old_export.h"
#include "cli/tags.h"
#include "io/side_files/identity_file.h"
#include "support/format.h"

#include <algorithm>

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
        return fail(ErrorCode::usage, "--from needs --tags TAGS.json: " + path + " has no tags");
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

std::string_view pluralOf(MatchKind kind)
{
    switch (kind) {
    case MatchKind::structure: return "matches by structure";
    case MatchKind::moved: return "with different inputs";
    case MatchKind::inPlace: return "replacements";
    case MatchKind::undecided: return "undecided ops";
    case MatchKind::identity:
    case MatchKind::added: break;
    }
    return "new ops";
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
            outcome.say("  and " + formatCount(count - kShown) + " more " + std::string(pluralOf(kind)));
    }
    for (std::size_t i = 0; i < std::min(kShown, report.alignment.lost.size()); ++i)
        outcome.say("  " + report.old.nodes[report.alignment.lost[i]].name.str() + " of the previous export has no match");
    if (report.alignment.lost.size() > kShown)
        outcome.say("  and " + formatCount(report.alignment.lost.size() - kShown) + " more without a match");
}

void describe(const AlignmentReport& report, Outcome& outcome)
{
    outcome.say(summaryOf(report.carried, report.alignment));
    listCalls(report, outcome);
    writeMatchCounts(report, outcome.json);
}

/// Transfers the tags of another export to matching ops.
Result<Outcome> runFrom(const Invocation& invocation)
{
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "transfer needs -o TAGS.json");
    SUNDER_TRY(OldExport old, readOld(invocation));
    completeOrder(old.tags);
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const std::vector<std::pair<InternedString, InternedString>> colors = old.tags.colors;
    SUNDER_TRY(const ExportTransfer transfer, invocation.timer.measure("pass", [&] {
        return transferFrom(exportTags(std::move(old)), program, invocation.monitor);
    }));
    const AlignmentReport report = reportOf(transfer);
    const ColoredTags tags{.tags = transfer.tagsFor(program, untaggedFor(invocation)), .colors = colors};
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeColoredTags(program, tags, at); }));
    if (invocation.isSet("report"))
        SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("report"),
                                                  [&](const std::string& at) { return writeAlignmentReport(report, at); }));
    Outcome outcome;
    describe(report, outcome);
    if (const std::size_t untagged = report.carried.untagged; untagged > 0)
        outcome.warnings.push_back(formatCount(untagged, "op")
                                   + (invocation.isSet("suggested") ? " got the suggested tag"
                                                                    : " got no tag; --suggested gives them the suggested one"));
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
    outcome.json.member("nodes", identity.nodes.size());
    return outcome;
}

constexpr CommandOption kTransferOptions[] = {
    {Takes::input, "from", "OLD", "Previous export: a model, a project, or a file of --identity."},
    {Takes::input, "tags", "TAGS.json", "Tags of OLD, instead of those in it."},
    {Takes::output, "o", "TAGS.json", "Tags file to write."},
    CommandOption{Takes::output, "report", "REPORT.json", "With --from: write how each op was matched, and why."}.needing("from"),
    {Takes::output, "identity", "IDENTITY.json", "Write the identities of the ops of IN, for a later --from."},
};

Result<Outcome> runTransfer(const Invocation& invocation)
{
    if (invocation.isSet("from") == invocation.isSet("identity"))
        return fail(ErrorCode::usage, "transfer needs either --from OLD or --identity IDENTITY.json");
    return invocation.isSet("identity") ? runIdentity(invocation) : runFrom(invocation);
}

} // namespace

Command transferCommand()
{
    return {"transfer", "IN", "Transfer the tags of a previous export to matching ops.", joined({kTransferOptions}), runTransfer};
}

} // namespace sunder::cli
