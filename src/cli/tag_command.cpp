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
          QStringLiteral("Transfer the tags of a previous export: a model, a project, or a file of --identity."),
          QStringLiteral("OLD")},
         {QStringLiteral("report"), QStringLiteral("With --from: write how each op was matched, and why."),
          QStringLiteral("REPORT.json")},
         {QStringLiteral("identity"), QStringLiteral("Write the identities of the ops of IN, for a later --from."),
          QStringLiteral("IDENTITY.json")},
         {QStringLiteral("rules"), QStringLiteral("Tag by rules. Tags from --tags take precedence."),
          QStringLiteral("RULES.json")},
         {QStringLiteral("tags"), QStringLiteral("Tags to edit, instead of those in the model. With --from: the tags of OLD."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("o"), QStringLiteral("Tags file to write."), QStringLiteral("TAGS.json")}});
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
            "--begin TAG=NAME, --from OLD, --rules RULES.json, --identity IDENTITY.json, or any of --rename, --merge, and --order");
    if (invocation.isSet("report") && !invocation.isSet("from"))
        return fail(ErrorCode::usage, "--report needs --from OLD");
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
    return {"tag",
            "IN",
            "Tag a model automatically, by rules, or like a previous export, or edit its tags.",
            declareTag,
            runTag,
            "from tags rules",
            "o report identity",
            "rename merge"};
}

} // namespace sunder::cli
