#include "cli/automatic_tagging.h"
#include "cli/backward_option.h"
#include "cli/command.h"
#include "cli/tag_edits.h"
#include "cli/tags_by_rules.h"
#include "cli/tags_over.h"

#include <algorithm>
#include <array>

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    declareAutomaticTagging(parser);
    declareTagEdits(parser);
    declareBackward(parser);
    parser.addOptions(
        {{QStringLiteral("from"),
          QStringLiteral("Takes the tags over from another export: a model, or what --identity wrote of it."),
          QStringLiteral("OLD")},
         {QStringLiteral("report"), QStringLiteral("With --from: what each op was taken for, and why."),
          QStringLiteral("REPORT.json")},
         {QStringLiteral("identity"),
          QStringLiteral("Writes what the ops of IN are, so that tags can be taken over when IN is gone."),
          QStringLiteral("IDENTITY.json")},
         {QStringLiteral("rules"), QStringLiteral("Tags by rules, under the tags that --tags gives."),
          QStringLiteral("RULES.json")},
         {QStringLiteral("tags"),
          QStringLiteral("The tags to change, to fill in, to straighten or to move, in place of those on the nodes; with --from: "
                         "those of OLD."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("o"), QStringLiteral("The tags file to write."), QStringLiteral("TAGS.json")}});
}

Result<Outcome> runTag(const Invocation& invocation)
{
    const bool isAutomatic = tagsAutomatically(invocation);
    const bool isEdited = editsTags(invocation);
    const std::array ways{isAutomatic, isEdited, invocation.isSet("from"), invocation.isSet("rules"),
                          invocation.isSet("identity")};
    if (std::ranges::count(ways, true) != 1)
        return fail(
            ErrorCode::usage,
            "tag needs one of --stages K, --depth N, --pattern MODULES, --fill earliest|latest, --straighten, "
            "--begin TAG=NAME, --from OLD, --rules RULES.json, --identity IDENTITY.json, or --rename, --merge and --order");
    if (invocation.isSet("report") && !invocation.isSet("from"))
        return fail(ErrorCode::usage, "--report goes with --from OLD");
    if (invocation.isSet("identity"))
        return runIdentity(invocation);
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    if (isAutomatic)
        return runAutomaticTagging(invocation);
    if (isEdited)
        return runTagEdits(invocation);
    return invocation.isSet("from") ? runTagsOver(invocation) : runTagsByRules(invocation);
}

} // namespace

Command tagCommand()
{
    return {
        "tag",
        "IN",
        "Tags a model: in stages, by rules, or as another export of it was; fills in and straightens tags, or changes the list "
        "of them.",
        declareTag,
        runTag,
        "from tags rules",
        "o report identity",
        "rename merge"};
}

} // namespace sunder::cli
