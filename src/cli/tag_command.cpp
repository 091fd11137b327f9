#include "cli/automatic_tagging.h"
#include "cli/command.h"
#include "cli/files.h"

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    declareAutomaticTagging(parser);
    parser.addOption({QStringLiteral("o"), QStringLiteral("The tags file to write."), QStringLiteral("TAGS.json")});
}

Result<Outcome> runTag(const Invocation& invocation)
{
    const Result<AutomaticTagging> asked = askedTagging(invocation);
    if (!asked)
        return forward(asked);
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    Outcome outcome;
    const Result<ColoredTags> tags = invocation.timer.measure(
        "pass", [&] { return automaticTags(invocation, *program, *asked, outcome); });
    if (!tags)
        return forward(tags);
    const Result<void> written = invocation.outputs.write(
        invocation.value("o"), [&](const std::string& at) { return writeColoredTags(*program, *tags, at); });
    if (!written)
        return forward(written);
    return outcome;
}

} // namespace

Command tagCommand()
{
    return {"tag", "IN", "Tags a model in stages, or fills in and straightens tags.", declareTag, runTag, "tags", "o"};
}

} // namespace sunder::cli
