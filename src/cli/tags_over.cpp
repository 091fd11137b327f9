#include "cli/tags_over.h"

#include "cli/files.h"
#include "cli/old_export.h"
#include "cli/tags.h"
#include "io/side_files/alignment_report.h"
#include "io/side_files/identity_file.h"
#include "support/format.h"

#include <QJsonArray>

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

} // namespace

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
    if (!written)
        return forward(written);
    Outcome outcome;
    describe(report, outcome);
    return outcome;
}

Result<Outcome> runIdentity(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const GraphIdentity identity = identityOf(program);
    const Result<void> written = invocation.outputs.write(invocation.value("identity"),
                                                          [&](const std::string& at) { return writeIdentityFile(identity, at); });
    if (!written)
        return forward(written);
    Outcome outcome;
    outcome.say("wrote the identities of " + formatCount(identity.nodes.size(), "node"));
    outcome.json[QStringLiteral("nodes")] = static_cast<qint64>(identity.nodes.size());
    return outcome;
}

} // namespace sunder::cli
