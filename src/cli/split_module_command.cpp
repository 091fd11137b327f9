#include "cli/command.h"
#include "cli/files.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "io/side_files/partitions_file.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kSplitModuleOptions[] = {
    {Takes::input, "partitions", "PARTITIONS.json", "Partition of each node, a number or a string."},
    {Takes::input, "tags", "TAGS.json", "Alternative to --partitions: one partition per tag."},
    CommandOption{Takes::number, "by-module", "LEVEL",
                  "Alternative to --partitions: one partition per module of this level, where 1 is the outermost."}
        .between(1, UINT32_MAX),
    flag("keep-original-order", "Call partitions in the order of their first nodes."),
    flag("keep-original-node-names", "Keep the names of nodes."),
    flag("drop-original-input-names", "Name the inputs of parts arg_0, arg_1, and so on."),
    {Takes::text, "partition-affix", "AFFIX", "Name parts submod_AFFIX_ID instead of submod_ID."},
    flag("tuple-return", "Let parts with one result return a 1-tuple."),
    flag("keep-signature", "Keep * and ** of inputs, which PyTorch drops with --keep-original-node-names."),
};

Result<void> checkPartitionSource(const Invocation& invocation)
{
    int given = 0;
    for (const char* option : {"partitions", "tags", "by-module"})
        given += invocation.isSet(option) ? 1 : 0;
    if (given > 1 || (given == 0 && !isProjectPath(invocation.files[0])))
        return fail(ErrorCode::usage, "split-module needs --partitions PARTITIONS.json, --tags TAGS.json, or --by-module LEVEL");
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
        SUNDER_TRY(const TagAssignment tags, readTags(program, invocation.value("tags")));
        return partitionsOfTags(program.rootGraph(), tags);
    }
    if (invocation.isSet("by-module"))
        return partitionsByModule(program, invocation.number("by-module"));
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
    return {"split-module", "IN", "Split a model by partitions, one submodule per partition.",
            joined({splitOutputs(), kSplitModuleOptions}), runSplitModule};
}

} // namespace sunder::cli
