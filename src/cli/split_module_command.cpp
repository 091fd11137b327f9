#include "cli/command.h"
#include "cli/files.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "io/side_files/partitions_file.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"

#include <optional>

namespace sunder::cli {
namespace {

void declareSplitModule(QCommandLineParser& parser)
{
    declareSplitOutputs(parser);
    parser.addOptions(
        {{QStringLiteral("partitions"), QStringLiteral("Partition of each node, a number or a string."),
          QStringLiteral("PARTITIONS.json")},
         {QStringLiteral("tags"), QStringLiteral("Alternative to --partitions: one partition per tag."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("by-module"),
          QStringLiteral("Alternative to --partitions: one partition per module of this level, where 1 is the outermost."),
          QStringLiteral("LEVEL")},
         {QStringLiteral("keep-original-order"), QStringLiteral("Call partitions in the order of their first nodes.")},
         {QStringLiteral("keep-original-node-names"), QStringLiteral("Keep the names of nodes.")},
         {QStringLiteral("drop-original-input-names"), QStringLiteral("Name the inputs of parts arg_0, arg_1, and so on.")},
         {QStringLiteral("partition-affix"), QStringLiteral("Name parts submod_AFFIX_ID instead of submod_ID."),
          QStringLiteral("AFFIX")},
         {QStringLiteral("tuple-return"), QStringLiteral("Let parts with one result return a 1-tuple.")},
         {QStringLiteral("keep-signature"),
          QStringLiteral("Keep * and ** of inputs, which PyTorch drops with --keep-original-node-names.")}});
}

/// Parses the level of --by-module; nothing if it is not a number from 1.
std::optional<std::uint32_t> levelFor(const Invocation& invocation)
{
    bool isNumber = false;
    const uint level = QString::fromStdString(invocation.value("by-module")).toUInt(&isNumber);
    return isNumber && level > 0 ? std::optional<std::uint32_t>(level) : std::nullopt;
}

Result<void> checkPartitionSource(const Invocation& invocation)
{
    int given = 0;
    for (const char* option : {"partitions", "tags", "by-module"})
        given += invocation.isSet(option) ? 1 : 0;
    if (given > 1 || (given == 0 && !isProjectPath(invocation.files[0])))
        return fail(ErrorCode::usage, "split-module needs --partitions PARTITIONS.json, --tags TAGS.json, or --by-module LEVEL");
    if (invocation.isSet("by-module") && !levelFor(invocation))
        return fail(ErrorCode::usage, "--by-module needs a level, a whole number from 1");
    return checkSplitOutputs(invocation);
}

SplitModuleOptions optionsFor(const Invocation& invocation)
{
    SplitModuleOptions options{.keepOriginalOrder = invocation.isSet("keep-original-order"),
                               .keepOriginalNodeNames = invocation.isSet("keep-original-node-names"),
                               .tupleReturn = invocation.isSet("tuple-return"),
                               .keepSignature = invocation.isSet("keep-signature"),
                               .dropOriginalInputNames = invocation.isSet("drop-original-input-names")};
    if (invocation.isSet("partition-affix"))
        options.partitionAffix = invocation.value("partition-affix");
    return options;
}

Result<PartitionAssignment> partitionsFor(const Invocation& invocation, const Program& program)
{
    if (invocation.isSet("tags")) {
        const Result<TagAssignment> tags = readTags(program, invocation.value("tags"));
        return tags ? Result<PartitionAssignment>(partitionsOfTags(program.rootGraph(), *tags)) : forward(tags);
    }
    if (invocation.isSet("by-module"))
        return partitionsByModule(program, *levelFor(invocation));
    if (!invocation.isSet("partitions"))
        return partitionsOfTags(program.rootGraph(), tagsOnNodes(program));
    return readPartitionsOf(program.rootGraph(), invocation.value("partitions"));
}

Result<Outcome> runSplitModule(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkPartitionSource(invocation));
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const PartitionAssignment partitions, partitionsFor(invocation, source));
    SUNDER_TRY(const SplitResult split, invocation.timer.measure("pass", [&] {
        return splitModule(source, partitions, optionsFor(invocation), invocation.monitor);
    }));
    return deliverSplit(invocation, source, split);
}

} // namespace

Command splitModuleCommand()
{
    return {"split-module",      "IN",           "Split a model by partitions, one submodule per partition.",
            declareSplitModule,  runSplitModule, "partitions tags",
            "o fqn-map dag cost"};
}

} // namespace sunder::cli
