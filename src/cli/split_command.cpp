#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kSplitOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."},
};

Result<Outcome> runSplit(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkSplitOutputs(invocation));
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment tags, tagsFor(invocation, source));
    SUNDER_TRY(const SplitResult split, invocation.timer.measure("pass", [&] {
        return splitByTags(source, tags, givenOptions<SplitOptions>(invocation), invocation.monitor);
    }));
    return deliverSplit(invocation, source, split);
}

} // namespace

Command splitCommand()
{
    return {"split", "IN", "Split a model by its tags, one submodule per tag.",
            joined({splitOutputs(), kSplitOptions, passSwitches<SplitOptions>()}), runSplit};
}

} // namespace sunder::cli
