#include "cli/command.h"
#include "cli/files.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder::cli {
namespace {

void declareSplit(QCommandLineParser& parser)
{
    declareSplitOutputs(parser);
    parser.addOptions(
        {{QStringLiteral("tags"), QStringLiteral("Tag of each node, and the order of tags. Default: the tags in the model."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("return-tuple"), QStringLiteral("Let parts with one result return a 1-tuple.")},
         {QStringLiteral("keep-signature"), QStringLiteral("Keep *, **, and default values of inputs, which PyTorch drops.")}});
}

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
    return {
        "split", "IN", "Split a model by its tags, one submodule per tag.", declareSplit, runSplit, "tags", "o fqn-map dag cost"};
}

} // namespace sunder::cli
