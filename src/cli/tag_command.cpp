#include "analysis/sizes.h"
#include "analysis/stages.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

void declareTag(QCommandLineParser& parser)
{
    parser.addOptions({{QStringLiteral("stages"), QStringLiteral("How many consecutive stages to make."), QStringLiteral("K")},
                       {QStringLiteral("by"), QStringLiteral("What is to be equal: bytes (default) or nodes."),
                        QStringLiteral("bytes|nodes"), QStringLiteral("bytes")},
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

Result<Outcome> runTag(const Invocation& invocation)
{
    bool isNumber = false;
    const uint count = invocation.options.value(QStringLiteral("stages")).toUInt(&isNumber);
    if (!isNumber || count == 0)
        return fail(ErrorCode::usage, "tag needs --stages K, with K a number above 0");
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
    describeStages(*program, *tags, outcome);
    return outcome;
}

} // namespace

Command tagCommand()
{
    return {"tag", "IN", "Tags a model in consecutive stages of equal size.", declareTag, runTag, "", "o"};
}

} // namespace sunder::cli
