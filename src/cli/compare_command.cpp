#include "analysis/cut/compare_cuts.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

std::string nameOf(const TagAssignment& tags, std::int32_t part)
{
    return part < 0 ? std::string("no part") : tags.order[static_cast<std::size_t>(part)].str();
}

/// Writes the members "before" and "after" with the names of parts, or null.
void writeNames(const TagAssignment& before, std::int32_t partBefore, const TagAssignment& after, std::int32_t partAfter,
                JsonWriter& json)
{
    const auto write = [&json](const char* key, const TagAssignment& tags, std::int32_t part) {
        json.member(key, part < 0 ? std::nullopt : std::optional(nameOf(tags, part)));
    };
    write("before", before, partBefore);
    write("after", after, partAfter);
}

void writePair(const char* key, std::uint64_t before, std::uint64_t after, JsonWriter& json)
{
    json.key(key);
    json.object([&] {
        json.member("before", before);
        json.member("after", after);
    });
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
    JsonWriter& json = outcome.json;
    json.key("parts");
    json.list(cuts.parts, [&](const PartPair& pair) {
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
        json.object([&] {
            writeNames(before, pair.before, after, pair.after, json);
            writePair("used", usedBefore, usedAfter, json);
        });
    });
    const std::uint64_t largestBefore = usedBytes(cuts.before, cuts.before.largest);
    const std::uint64_t largestAfter = usedBytes(cuts.after, cuts.after.largest);
    outcome.say("cut: " + change(cuts.before.cutBytes, cuts.after.cutBytes));
    outcome.say("duplicate weights: " + change(cuts.before.duplicatedBytes, cuts.after.duplicatedBytes));
    outcome.say("largest part: " + change(largestBefore, largestAfter));
    writePair("cut", cuts.before.cutBytes, cuts.after.cutBytes, json);
    writePair("duplicated", cuts.before.duplicatedBytes, cuts.after.duplicatedBytes, json);
    writePair("largest", largestBefore, largestAfter, json);
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
    JsonWriter& json = outcome.json;
    json.key("moved");
    json.list(cuts.moved, [&](const MovedNode& node) {
        json.object([&] {
            json.member("node", source.rootGraph()[node.node].name.view());
            writeNames(before, node.before, after, node.after, json);
        });
    });
    addSizes(cuts, before, after, outcome);
    return outcome;
}

} // namespace

Command compareCommand()
{
    return {"compare", "IN A B", "Compare two cuts of a model, given as the tags files A and B.", {}, runCompare};
}

} // namespace sunder::cli
