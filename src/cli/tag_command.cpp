#include "analysis/sizes.h"
#include "analysis/stages.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "cli/tags_by_rules.h"
#include "cli/tags_over.h"
#include "io/side_files/identity_file.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    parser.addOptions(
        {{QStringLiteral("stages"), QStringLiteral("How many consecutive stages to make."), QStringLiteral("K")},
         {QStringLiteral("by"), QStringLiteral("What is to be equal: bytes (default) or nodes."), QStringLiteral("bytes|nodes"),
          QStringLiteral("bytes")},
         {QStringLiteral("from"),
          QStringLiteral("Takes the tags over from another export: a model, or what --identity wrote of it."),
          QStringLiteral("OLD")},
         {QStringLiteral("tags"),
          QStringLiteral("With --from: the tags of OLD, in place of those on its nodes; with --rules: tags that stand."),
          QStringLiteral("TAGS.json")},
         {QStringLiteral("rules"), QStringLiteral("Tags by rules, under the tags that --tags gives."),
          QStringLiteral("RULES.json")},
         {QStringLiteral("report"), QStringLiteral("With --from: what each op was taken for, and why."),
          QStringLiteral("REPORT.json")},
         {QStringLiteral("identity"),
          QStringLiteral("Writes what the ops of IN are, so that tags can be taken over when IN is gone."),
          QStringLiteral("IDENTITY.json")},
         {QStringLiteral("o"), QStringLiteral("The tags file to write."), QStringLiteral("TAGS.json")}});
}

Result<StageMeasure> measureOf(const std::string& word)
{
    if (word == "bytes")
        return StageMeasure::bytes;
    if (word == "nodes")
        return StageMeasure::nodes;
    return fail(ErrorCode::usage, "--by takes bytes or nodes, not " + word);
}

void describeStages(const Program& program, const TagAssignment& tags, Outcome& outcome)
{
    const ProgramSizes sizes = programSizes(program);
    std::vector<std::uint64_t> nodes(tags.order.size());
    std::vector<std::uint64_t> bytes(tags.order.size());
    for (const NodeId id : program.rootGraph().nodes())
        if (const std::int32_t tag = tags[id]; tag >= 0 && program.rootGraph()[id].isCall()) {
            ++nodes[static_cast<std::size_t>(tag)];
            bytes[static_cast<std::size_t>(tag)] += sizes.parameterBytes[id.index()];
        }
    QJsonArray stages;
    for (std::size_t i = 0; i < tags.order.size(); ++i) {
        outcome.say(tags.order[i].str() + ": " + formatCount(nodes[i], "node") + ", " + formatBytes(bytes[i]));
        stages.append(QJsonObject{{QStringLiteral("tag"), text(tags.order[i].view())},
                                  {QStringLiteral("nodes"), static_cast<qint64>(nodes[i])},
                                  {QStringLiteral("bytes"), static_cast<qint64>(bytes[i])}});
    }
    outcome.json[QStringLiteral("stages")] = stages;
}

Result<Outcome> runStages(const Invocation& invocation)
{
    bool isNumber = false;
    const uint count = invocation.options.value(QStringLiteral("stages")).toUInt(&isNumber);
    if (!isNumber || count == 0)
        return fail(ErrorCode::usage, "--stages takes a number above 0");
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
    describeStages(*program, *tags, outcome);
    return outcome;
}

/// What the ops are, written before the export is replaced.
Result<Outcome> runIdentity(const Invocation& invocation)
{
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    const GraphIdentity identity = identityOf(*program);
    const Result<void> written = invocation.outputs.write(invocation.value("identity"),
                                                          [&](const std::string& at) { return writeIdentityFile(identity, at); });
    if (!written)
        return forward(written);
    Outcome outcome;
    outcome.say("wrote what " + formatCount(identity.nodes.size(), "node") + " are");
    outcome.json[QStringLiteral("nodes")] = static_cast<qint64>(identity.nodes.size());
    return outcome;
}

Result<Outcome> runTag(const Invocation& invocation)
{
    const int ways = static_cast<int>(invocation.isSet("stages")) + static_cast<int>(invocation.isSet("from"))
        + static_cast<int>(invocation.isSet("rules")) + static_cast<int>(invocation.isSet("identity"));
    if (ways != 1)
        return fail(ErrorCode::usage, "tag needs one of --stages K, --from OLD, --rules RULES.json and --identity IDENTITY.json");
    if (invocation.isSet("report") && !invocation.isSet("from"))
        return fail(ErrorCode::usage, "--report goes with --from OLD");
    if (invocation.isSet("tags") && !invocation.isSet("from") && !invocation.isSet("rules"))
        return fail(ErrorCode::usage, "--tags goes with --from OLD or --rules RULES.json");
    if (invocation.isSet("identity"))
        return runIdentity(invocation);
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "tag needs -o TAGS.json");
    if (invocation.isSet("from"))
        return runTagsOver(invocation);
    return invocation.isSet("rules") ? runTagsByRules(invocation) : runStages(invocation);
}

} // namespace

Command tagCommand()
{
    return {"tag",
            "IN",
            "Tags a model: in equal stages, by rules, or as another export of it was.",
            declareTag,
            runTag,
            "from tags rules",
            "o report identity"};
}

} // namespace sunder::cli
