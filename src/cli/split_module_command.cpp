#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "io/side_files/partitions_file.h"
#include "passes/split_module/partition_plan.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kSplitModuleOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Alternative to --partitions: one partition per tag."},
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
        return splitModule(source, partitions, givenOptions<SplitModuleOptions>(invocation), invocation.monitor);
    }));
    return deliverSplit(invocation, source, split);
}

} // namespace

Command splitModuleCommand()
{
    return {"split-module", "IN", "Split a model by partitions, one submodule per partition.",
            joined({splitOutputs(), kSplitModuleOptions, passSwitches<SplitModuleOptions>()}), runSplitModule};
}

} // namespace sunder::cli
