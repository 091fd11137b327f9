#include "analysis/cut/part_assignment.h"
#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/passes/pass.h"
#include "document/runs/run_steps.h"
#include "document/text.h"
#include "io/side_files/partitions_file.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const char* const kSplitModule = "splitModule";
const QString kFrom = QStringLiteral("from");
const QString kFromTags = QStringLiteral("tags");
const QString kFromFile = QStringLiteral("file");
const QString kFromModules = QStringLiteral("modules");
const QString kPartitionsFile = QStringLiteral("file");
const QString kLevel = QStringLiteral("level");
Result<PartitionAssignment> partitionsFor(const Program& source, const TagAssignment& tags, const PassOptions& options)
{
    const QString from = options.value(kFrom, kFromTags).toString();
    if (from == kFromFile)
        return readPartitionsOf(source.rootGraph(), options.value(kPartitionsFile).toString().toStdString());
    if (from == kFromModules)
        return partitionsByModule(source, static_cast<std::uint32_t>(options.value(kLevel, 1).toInt()));
    return partitionsOfTags(source.rootGraph(), tags);
}

Result<RunResult> makeSplitModule(const SnapshotPtr& source, const TagAssignment& tags, const PassOptions& options,
                                  ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<SplitOutcome>();
    RunSteps steps(*outcome, kSplitModule, options, monitor);
    SUNDER_TRY(SplitResult split, steps.pass("splitting", [&]() -> Result<SplitResult> {
        SUNDER_TRY(const PartitionAssignment partitions, partitionsFor(source->program, tags, options));
        return splitModule(source->program, partitions, optionsIn<SplitModuleOptions>(options), monitor);
    }));
    outcome->split = std::move(split);
    outcome->tags = partAssignment(source->program, outcome->split.program, outcome->split.map);
    if (options.value(kFrom, kFromTags).toString() == kFromTags)
        outcome->madeFrom = tags;
    SUNDER_PROPAGATE(steps.verify(source->program, outcome->split.program));
    return outcome;
}

PassWork splitModuleWorkOn(const TagAssignment& tags, const PassOptions& options)
{
    return [tags, options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return makeSplitModule(source, tags, options, monitor);
    };
}

Result<PassWork> workOfSplitModule(const Document& document, const PassOptions& options)
{
    const QString from = options.value(kFrom, kFromTags).toString();
    if (from == kFromTags && !document.checks().isRunning() && !document.checks().report().untagged.empty())
        return fail(ErrorCode::refused,
                    countText(document.checks().report().untagged.size(), "op").toStdString()
                        + " without a tag: tag them first, or partition by a file or by modules");
    if (from == kFromFile && options.value(kPartitionsFile).toString().isEmpty())
        return fail(ErrorCode::refused, "choose a partitions file");
    return splitModuleWorkOn(document.tags(), options);
}

void commandOfSplitModule(const Outcome& result, const Program& source, CliCommand& command)
{
    command.verb = "split-module";
    command.ending = "-split.fxj";
    if (const auto& tags = static_cast<const SplitOutcome&>(result).madeFrom)
        command.addTags(source.rootGraph(), *tags);
    command.addOptions(result);
}

} // namespace

Pass splitModulePass()
{
    return {.id = QLatin1String(kSplitModule),
            .name = tr("Split module"),
            .text = tr("Split &into partitions…"),
            .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter)},
            .tip = tr("Split by tags, a partitions file, or modules, as split_module does, and verify the parts"),
            .asking = PassAsking::form,
            .options = shownOptions(optionSpecs<SplitModuleOptions>()),
            .job = QStringLiteral("split"),
            .jobTitle = tr("Split into partitions and verify"),
            .work = workOfSplitModule,
            .workOn = splitModuleWorkOn,
            .command = commandOfSplitModule,
            .refused = tr("The model was not split")};
}

} // namespace sunder
