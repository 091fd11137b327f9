#include "analysis/cut/compare_cuts.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

std::string nameOf(const TagAssignment& tags, std::int32_t part)
{
    return part < 0 ? std::string("no part") : tags.order[static_cast<std::size_t>(part)].str();
}

QJsonValue jsonName(const TagAssignment& tags, std::int32_t part)
{
    return part < 0 ? QJsonValue() : QJsonValue(text(nameOf(tags, part)));
}

QJsonObject jsonPair(std::uint64_t before, std::uint64_t after)
{
    return {{QStringLiteral("before"), static_cast<qint64>(before)}, {QStringLiteral("after"), static_cast<qint64>(after)}};
}

std::string change(std::uint64_t before, std::uint64_t after)
{
    if (before == after)
        return formatBytes(before) + ", no change";
    const std::string by = after > before ? "+" + formatBytes(after - before) : "-" + formatBytes(before - after);
    return formatBytes(before) + " before, " + formatBytes(after) + " after (" + by + ")";
}

std::uint64_t usedBytes(const CutMetrics& metrics, std::int32_t part)
{
    return part < 0 ? 0 : metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes();
}

/// Adds the sizes of both cuts, per part and in total.
void addSizes(const CutComparison& cuts, const TagAssignment& before, const TagAssignment& after, Outcome& outcome)
{
    QJsonArray parts;
    for (const PartPair& pair : cuts.parts) {
        const std::uint64_t usedBefore = usedBytes(cuts.before, pair.before);
        const std::uint64_t usedAfter = usedBytes(cuts.after, pair.after);
        const std::string first = nameOf(before, pair.before);
        const std::string second = nameOf(after, pair.after);
        outcome.say("part "
                    + (pair.after < 0                           ? first
                           : pair.before < 0 || first == second ? second
                                                                : first + ", now " + second)
                    + ": "
                    + (pair.before < 0      ? "new, " + formatBytes(usedAfter)
                           : pair.after < 0 ? "removed, " + formatBytes(usedBefore)
                                            : change(usedBefore, usedAfter)));
        parts.append(QJsonObject{{QStringLiteral("before"), jsonName(before, pair.before)},
                                 {QStringLiteral("after"), jsonName(after, pair.after)},
                                 {QStringLiteral("used"), jsonPair(usedBefore, usedAfter)}});
    }
    const std::uint64_t largestBefore = usedBytes(cuts.before, cuts.before.largest);
    const std::uint64_t largestAfter = usedBytes(cuts.after, cuts.after.largest);
    outcome.say("cut: " + change(cuts.before.cutBytes, cuts.after.cutBytes));
    outcome.say("duplicate weights: " + change(cuts.before.duplicatedBytes, cuts.after.duplicatedBytes));
    outcome.say("largest part: " + change(largestBefore, largestAfter));
    outcome.json[QStringLiteral("parts")] = parts;
    outcome.json[QStringLiteral("cut")] = jsonPair(cuts.before.cutBytes, cuts.after.cutBytes);
    outcome.json[QStringLiteral("duplicated")] = jsonPair(cuts.before.duplicatedBytes, cuts.after.duplicatedBytes);
    outcome.json[QStringLiteral("largest")] = jsonPair(largestBefore, largestAfter);
}

Result<Outcome> runCompare(const Invocation& invocation)
{
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment before, readTags(source, invocation.files[1]));
    SUNDER_TRY(const TagAssignment after, readTags(source, invocation.files[2]));
    const CutComparison cuts = invocation.timer.measure("pass", [&] { return compareCuts(cutGraph(source), before, after); });
    Outcome outcome;
    outcome.say(formatCount(cuts.moved.size(), "op") + " moved");
    for (const MoveGroup& group : cuts.groups)
        outcome.say("  " + formatCount(group.calls, "op") + " from " + nameOf(before, group.before) + " to "
                    + nameOf(after, group.after) + ", " + formatBytes(group.bytes) + " of results");
    QJsonArray moved;
    for (const MovedNode& node : cuts.moved)
        moved.append(QJsonObject{{QStringLiteral("node"), text(source.rootGraph()[node.node].name.view())},
                                 {QStringLiteral("before"), jsonName(before, node.before)},
                                 {QStringLiteral("after"), jsonName(after, node.after)}});
    outcome.json[QStringLiteral("moved")] = moved;
    addSizes(cuts, before, after, outcome);
    return outcome;
}

} // namespace

Command compareCommand()
{
    return {"compare", "IN A B", "Compare two cuts of a model, given as the tags files A and B.", {}, runCompare};
}

} // namespace sunder::cli
