// The passes for repeated regions: one only finds them, one replaces them by calls of shared subgraphs.
#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/passes/pass.h"
#include "document/runs/make_runs.h"
#include "document/text.h"

namespace sunder {
namespace {

Result<PassWork> workOfFinding(const Document&, const PassOptions& options)
{
    return PassWork([options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeRegions(source, options, monitor));
    });
}

Result<PassWork> workOfSharing(const Document&, const PassOptions& options)
{
    return PassWork([options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeDeduplicated(source, options, monitor));
    });
}

void commandOfFinding(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "regions";
    command.ending = "-regions.json";
    command.addOptions(result);
}

void commandOfSharing(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "dedup";
    command.ending = "-deduplicated.fxj";
    command.addOptions(result);
}

} // namespace

Pass findRegionsPass()
{
    return {.id = QStringLiteral("findRegions"),
            .name = tr("Find regions"),
            .text = tr("Find repeated &regions"),
            .keys = {QKeySequence(Qt::CTRL | Qt::Key_R)},
            .tip = tr("Find groups of ops that occur several times in the graph"),
            .options = shownOptions(optionSpecs<RegionOptions>()),
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
            .options = shownOptions(optionSpecs<RegionOptions>()),
            .job = QStringLiteral("regions"),
            .jobTitle = tr("Deduplicate and verify"),
            .work = workOfSharing,
            .command = commandOfSharing,
            .refused = tr("No repeated regions were found")};
}

} // namespace sunder
