#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/passes/pass.h"
#include "document/runs/make_runs.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {
namespace {

PassWork splitWorkOn(const TagAssignment& tags, const PassOptions& options)
{
    return [tags, options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeSplit(source, tags, options, monitor));
    };
}

Result<PassWork> workOf(const Document& document, const PassOptions& options)
{
    return splitWorkOn(document.tags(), options);
}

void commandOfSplit(const Outcome& result, const Program& source, CliCommand& command)
{
    command.verb = "split";
    command.ending = "-split.fxj";
    command.addTags(source.rootGraph(), *static_cast<const SplitOutcome&>(result).madeFrom);
    command.addOptions(result);
}

/// Returns why the model cannot be split by its current tags, as a sentence; empty if it can.
QString refusalOfTags(const Document& document)
{
    if (document.checks().isRunning())
        return {}; // the split reports its own errors
    const TagReport& report = document.checks().report();
    QStringList reasons;
    if (report.untagged.size() == document.snapshot()->callCount && document.snapshot()->callCount > 0)
        return tr("No op has a tag. Choose Paint › Tag automatically… or paint ops and modules with the brush (B).");
    if (!report.untagged.empty())
        reasons << tr("%1 no tag")
                       .arg(report.untagged.size() == 1 ? tr("1 op has")
                                                        : tr("%1 ops have").arg(text(formatCount(report.untagged.size()))));
    if (!report.backward.empty())
        reasons << tr("%1 from a later stage to an earlier one")
                       .arg(report.backward.size() == 1 ? tr("1 edge goes")
                                                        : tr("%1 edges go").arg(text(formatCount(report.backward.size()))));
    for (const Problem& problem : document.checks().problems())
        if (problem.kind == Problem::Kind::partName)
            reasons << text(problem.text).section(QStringLiteral(". "), 0, 0);
    return reasons.isEmpty() ? QString() : tr("Cannot split: %1. See Problems.").arg(reasons.join(tr(", and ")));
}

} // namespace

Pass splitPass()
{
    return {.id = QStringLiteral("split"),
            .name = tr("Split by tags"),
            .text = tr("&Split by tags"),
            .icon = QStringLiteral("split"),
            .keys = {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)},
            .tip = tr("Split the model by its tags and verify the parts"),
            .button = tr("Split"),
            .isMain = true,
            .asking = PassAsking::menu,
            .options = shownOptions(optionSpecs<SplitOptions>()),
            .job = QStringLiteral("split"),
            .jobTitle = tr("Split by tags and verify"),
            .takesTags = true,
            .refusal = refusalOfTags,
            .work = workOf,
            .workOn = splitWorkOn,
            .command = commandOfSplit};
}

} // namespace sunder
