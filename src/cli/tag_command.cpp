#include "cli/automatic_tagging.h"
#include "cli/command.h"
#include "cli/tag_edits.h"

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    declareAutomaticTagging(parser);
    declareTagEdits(parser);
    parser.addOptions(
        {{QStringLiteral("tags"),
          QStringLiteral("The tags to change, to fill in, to straighten or to move, in place of those on the nodes."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("o"), QStringLiteral("The tags file to write."), QStringLiteral("TAGS.json")}});
}

Result<Outcome> runTag(const Invocation& invocation)
{
    const bool isAutomatic = tagsAutomatically(invocation);
    if (isAutomatic == editsTags(invocation))
        return fail(ErrorCode::usage,
                    "tag needs one of --stages K, --depth N, --pattern MODULES, --fill earliest|latest, --straighten, "
                    "--begin TAG=NAME, or --rename, --merge and --order");
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    return isAutomatic ? runAutomaticTagging(invocation) : runTagEdits(invocation);
}

} // namespace

Command tagCommand()
{
    return {"tag",      "IN",   "Tags a model in stages, fills in and straightens tags, or changes the list of them.",
            declareTag, runTag, "tags",
            "o"};
}

} // namespace sunder::cli
