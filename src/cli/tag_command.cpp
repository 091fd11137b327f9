#include "analysis/stages.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tag_edits.h"
#include "cli/tags.h"

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    parser.addOptions({{QStringLiteral("stages"), QStringLiteral("How many consecutive stages to make."), QStringLiteral("K")},
                       {QStringLiteral("by"), QStringLiteral("What is to be equal: bytes (default) or nodes."),
                        QStringLiteral("bytes|nodes"), QStringLiteral("bytes")},
                       {QStringLiteral("o"), QStringLiteral("The tags file to write."), QStringLiteral("TAGS.json")}});
    declareTagEdits(parser);
}

Result<StageMeasure> measureOf(const std::string& word)
{
    if (word == "bytes")
        return StageMeasure::bytes;
    if (word == "nodes")
        return StageMeasure::nodes;
    return fail(ErrorCode::usage, "--by takes bytes or nodes, not " + word);
}

Result<Outcome> runTag(const Invocation& invocation)
{
    if (editsTags(invocation) && !invocation.isSet("stages"))
        return runTagEdits(invocation);
    if (editsTags(invocation) || invocation.isSet("tags"))
        return fail(ErrorCode::usage,
                    "--stages makes new tags: --tags, --rename, --merge and --order are for tags that there are");
    bool isNumber = false;
    const uint count = invocation.options.value(QStringLiteral("stages")).toUInt(&isNumber);
    if (!isNumber || count == 0)
        return fail(ErrorCode::usage, "tag needs --stages K, with K a number above 0, or --rename, --merge or --order");
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    const Result<StageMeasure> measure = measureOf(invocation.value("by"));
    if (!measure)
        return forward(measure);
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    const Result<TagAssignment> tags = invocation.timer.measure("pass",
                                                                [&] { return consecutiveStages(*program, count, *measure); });
    if (!tags)
        return forward(tags);
    const Result<void> written = invocation.outputs.write(invocation.value("o"),
                                                          [&](const std::string& at) { return writeTags(*program, *tags, at); });
    if (!written)
        return forward(written);
    Outcome outcome;
    describeTags(*program, *tags, QStringLiteral("stages"), outcome);
    return outcome;
}

} // namespace

Command tagCommand()
{
    return {"tag",      "IN",          "Tags a model in consecutive stages of equal size, or changes its list of tags.",
            declareTag, runTag,        "tags",
            "o",        "rename merge"};
}

} // namespace sunder::cli
