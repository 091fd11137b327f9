// The passes for repeated regions: one only finds them, one replaces them by calls of shared subgraphs.
#include "document/passes/regions_pass.h"

#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/runs/make_runs.h"
#include "document/text.h"

namespace sunder {
namespace {

const QString kAlikeBy = QStringLiteral("key");
const QString kTracked = QStringLiteral("tracked");
const QString kStructural = QStringLiteral("structural");
const QString kLikeTorch = QStringLiteral("asUpstream");

Result<PassWork> workOfFinding(const Document&, const PassOptions& options)
{
    return PassWork([options = regionOptionsOf(options)](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeRegions(source, options, monitor));
    });
}

Result<PassWork> workOfSharing(const Document&, const PassOptions& options)
{
    return PassWork([options = regionOptionsOf(options)](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeDeduplicated(source, options, monitor));
    });
}

std::vector<PassOption> optionsOfRegions()
{
    return {{.id = kAlikeBy,
             .kind = PassOption::Kind::choice,
             .title = tr("Compare &ops"),
             .choices = {{.id = {}, .title = tr("by &tracked keys if the model has them, else by structure")},
                         {.id = kTracked, .title = tr("by t&racked keys")},
                         {.id = kStructural, .title = tr("by st&ructure")}}},
            {.id = kLikeTorch,
             .title = tr("Bug-for-bug &compatible with torch"),
             .tip = tr("Keep regions that overlap or cannot run as one call, as torch's tracker does"),
             .brief = tr("as torch")}};
}

void addRegionOptions(const Outcome& result, CliCommand& command)
{
    const RegionOptions options = regionOptionsOf(result.options);
    if (options.key)
        command.add("key", *options.key == RegionKey::tracked ? "tracked" : "structural");
    if (options.asUpstream)
        command.add("as-upstream");
}

void commandOfFinding(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "regions";
    command.ending = "-regions.json";
    addRegionOptions(result, command);
}

void commandOfSharing(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "dedup";
    command.ending = "-deduplicated.fxj";
    addRegionOptions(result, command);
}

} // namespace

RegionOptions regionOptionsOf(const PassOptions& options)
{
    const QString key = options.value(kAlikeBy).toString();
    RegionOptions typed{.asUpstream = options.value(kLikeTorch).toBool()};
    if (key == kTracked)
        typed.key = RegionKey::tracked;
    if (key == kStructural)
        typed.key = RegionKey::structural;
    return typed;
}

PassOptions asPassOptions(const RegionOptions& options)
{
    PassOptions plain;
    if (options.key)
        plain.insert(kAlikeBy, *options.key == RegionKey::tracked ? kTracked : kStructural);
    if (options.asUpstream)
        plain.insert(kLikeTorch, true);
    return plain;
}

Pass findRegionsPass()
{
    return {.id = QStringLiteral("findRegions"),
            .name = tr("Find regions"),
            .text = tr("Find repeated &regions"),
            .keys = {QKeySequence(Qt::CTRL | Qt::Key_R)},
            .tip = tr("Find groups of ops that occur several times in the graph"),
            .options = optionsOfRegions(),
            .job = QStringLiteral("regions"),
            .jobTitle = tr("Find repeated regions"),
            .work = workOfFinding,
            .command = commandOfFinding,
            .refused = tr("No repeated regions were found")};
}

Pass deduplicatePass()
{
    return {.id = QStringLiteral("deduplicate"),
            .name = tr("Deduplicate"),
            .text = tr("&Deduplicate"),
            .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
            .tip = tr("Replace repeated regions by calls of a shared subgraph, and verify"),
            .button = tr("Deduplicate"),
            .options = optionsOfRegions(),
            .job = QStringLiteral("regions"),
            .jobTitle = tr("Deduplicate and verify"),
            .work = workOfSharing,
            .command = commandOfSharing,
            .refused = tr("No repeated regions were found")};
}

} // namespace sunder
