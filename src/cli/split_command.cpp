#include "cli/command.h"
#include "cli/files.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kSplitOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."},
    flag("return-tuple", "Let parts with one result return a 1-tuple."),
    flag("keep-signature", "Keep *, **, and default values of inputs, which PyTorch drops."),
};

Result<Outcome> runSplit(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkSplitOutputs(invocation));
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment tags, tagsFor(invocation, source));
    SUNDER_TRY(const SplitResult split, invocation.timer.measure("pass", [&] {
        return splitByTags(source, tags,
                           {.returnTuple = invocation.isSet("return-tuple"), .keepSignature = invocation.isSet("keep-signature")},
                           invocation.monitor);
    }));
    return deliverSplit(invocation, source, split);
}

} // namespace

Command splitCommand()
{
    return {"split", "IN", "Split a model by its tags, one submodule per tag.", joined({splitOutputs(), kSplitOptions}),
            runSplit};
}

} // namespace sunder::cli
