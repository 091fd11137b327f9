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
const QString kOriginalOrder = QStringLiteral("keepOriginalOrder");
const QString kOriginalNames = QStringLiteral("keepOriginalNodeNames");
const QString kTupleReturn = QStringLiteral("tupleReturn");
const QString kKeepInputs = QStringLiteral("keepSignature");
const QString kPlainInputs = QStringLiteral("dropOriginalInputNames");
const QString kAffix = QStringLiteral("partitionAffix");
constexpr int kMaxLevels = 64;

SplitModuleOptions splitModuleOptionsOf(const PassOptions& options)
{
    SplitModuleOptions given{.keepOriginalOrder = options.value(kOriginalOrder).toBool(),
                             .keepOriginalNodeNames = options.value(kOriginalNames).toBool(),
                             .tupleReturn = options.value(kTupleReturn).toBool(),
                             .keepSignature = options.value(kKeepInputs).toBool(),
                             .dropOriginalInputNames = options.value(kPlainInputs).toBool()};
    if (const QString affix = options.value(kAffix).toString(); !affix.isEmpty())
        given.partitionAffix = affix.toStdString();
    return given;
}

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
        return splitModule(source->program, partitions, splitModuleOptionsOf(options), monitor);
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
    if (from == kFromTags && !document.isChecking() && !document.report().untagged.empty())
        return fail(ErrorCode::refused,
                    countText(document.report().untagged.size(), "op").toStdString()
                        + " without a tag: tag them first, or partition by a file or by modules");
    if (from == kFromFile && options.value(kPartitionsFile).toString().isEmpty())
        return fail(ErrorCode::refused, "choose a partitions file");
    return splitModuleWorkOn(document.tags(), options);
}

std::vector<PassOption> optionsOfSplitModule()
{
    return {{.id = kFrom,
             .kind = PassOption::Kind::choice,
             .title = tr("One partition p&er"),
             .tip = tr("Source of the partitions"),
             .choices = {{.id = kFromTags, .title = tr("tag"), .brief = tr("by tags")},
                         {.id = kFromFile, .title = tr("entry of a partitions file"), .brief = tr("by a file")},
                         {.id = kFromModules, .title = tr("module of the model"), .brief = tr("by modules")}}},
            {.id = kPartitionsFile,
             .kind = PassOption::Kind::file,
             .title = tr("Partitions &file"),
             .tip = tr("PARTITIONS.json: the number or name of the partition of each op"),
             .belongsTo = QStringLiteral("from=file"),
             .filter = tr("Partitions (*.json);;All files (*)")},
            {.id = kLevel,
             .kind = PassOption::Kind::number,
             .title = tr("Module &level"),
             .tip = tr("1: modules that the model itself calls. Ops in no module join the op before them"),
             .belongsTo = QStringLiteral("from=modules"),
             .most = kMaxLevels},
            {.id = kOriginalOrder,
             .title = tr("Keep the original &order of ops"),
             .tip = tr("Call partitions in the order of their first ops; refused if one depends on a later one"),
             .brief = tr("original order")},
            {.id = kOriginalNames,
             .title = tr("Keep original op &names"),
             .tip = tr("Otherwise ops are named after their targets, as PyTorch does"),
             .brief = tr("original names")},
            {.id = kPlainInputs,
             .title = tr("Name &inputs of parts arg_0, arg_1, …"),
             .tip = tr("Otherwise inputs are named after their producers"),
             .brief = tr("numbered inputs")},
            {.id = kAffix,
             .kind = PassOption::Kind::text,
             .title = tr("&Affix of part names"),
             .tip = tr("Name parts submod_AFFIX_ID instead of submod_ID")},
            {.id = kTupleReturn,
             .title = tr("Return single results as 1-&tuples"),
             .tip = tr("A part with one result returns (x,) instead of x"),
             .brief = tr("results as tuples")},
            {.id = kKeepInputs,
             .title = tr("Keep the &signature of the model"),
             .tip = tr("Keep *args and **kwargs of inputs, which PyTorch drops together with original names"),
             .brief = tr("signature kept")}};
}

void commandOfSplitModule(const Outcome& result, const Program& source, CliCommand& command)
{
    command.verb = "split-module";
    command.ending = "-split.fxj";
    const QString from = result.options.value(kFrom, kFromTags).toString();
    if (from == kFromFile)
        command.add("partitions", result.options.value(kPartitionsFile).toString().toStdString());
    else if (from == kFromModules)
        command.add("by-module", std::to_string(result.options.value(kLevel, 1).toInt()));
    else
        command.addTags(source.rootGraph(), *static_cast<const SplitOutcome&>(result).madeFrom);
    const SplitModuleOptions options = splitModuleOptionsOf(result.options);
    const std::pair<bool, const char*> flags[] = {{options.keepOriginalOrder, "keep-original-order"},
                                                  {options.keepOriginalNodeNames, "keep-original-node-names"},
                                                  {options.dropOriginalInputNames, "drop-original-input-names"},
                                                  {options.tupleReturn, "tuple-return"},
                                                  {options.keepSignature, "keep-signature"}};
    for (const auto& [isOn, flag] : flags)
        if (isOn)
            command.add(flag);
    if (options.partitionAffix)
        command.add("partition-affix", *options.partitionAffix);
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
            .options = optionsOfSplitModule(),
            .job = QStringLiteral("split"),
            .jobTitle = tr("Split into partitions and verify"),
            .work = workOfSplitModule,
            .workOn = splitModuleWorkOn,
            .command = commandOfSplitModule,
            .refused = tr("The model was not split")};
}

} // namespace sunder
