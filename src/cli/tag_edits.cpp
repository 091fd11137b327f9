// Edits of the tag list by `sunder-cli tag`, as in the window.
#include "cli/tag_edits.h"

#include "analysis/part_names.h"
#include "analysis/sizes.h"
#include "analysis/training/backward_tags.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"
#include "tagging/tag_list.h"

#include <QJsonArray>

#include <algorithm>

namespace sunder::cli {
namespace {

/// Splits "A=B" or "A,B" into both sides.
Result<std::pair<std::string, std::string>> pairOf(const std::string& words, char between, const char* option)
{
    const std::size_t at = words.find(between);
    if (at == std::string::npos || at == 0 || at + 1 == words.size())
        return fail(ErrorCode::usage, std::string("--") + option + " takes A" + between + "B, not " + words);
    return std::pair(words.substr(0, at), words.substr(at + 1));
}

Result<int> tagThere(const TagAssignment& tags, const std::string& name)
{
    const int tag = tagCalled(tags, name);
    if (tag < 0)
        return fail(ErrorCode::refused, "unknown tag \"" + name + '"');
    return tag;
}

Result<void> rename(const Graph& graph, ColoredTags& tags, const std::string& words)
{
    SUNDER_TRY(const auto names, pairOf(words, '=', "rename"));
    const auto& [before, after] = names;
    SUNDER_TRY(const int tag, tagThere(tags.tags, before));
    switch (faultOfTagName(graph, tags.tags, tag, after)) {
    case TagNameFault::empty: return fail(ErrorCode::usage, "a tag needs a name");
    case TagNameFault::dot: return fail(ErrorCode::refused, '"' + after + "\" cannot name a part: it contains a dot");
    case TagNameFault::reserved:
        return fail(ErrorCode::refused,
                    '"' + after + "\" cannot name a part: " + whyNoPartName(graph, after).value_or(std::string()));
    case TagNameFault::taken: return fail(ErrorCode::refused, "tag \"" + after + "\" already exists");
    case TagNameFault::none: break;
    }
    tags.tags.order[static_cast<std::size_t>(tag)] = intern(after);
    for (auto& [of, color] : tags.colors)
        if (of.view() == before)
            of = intern(after);
    return {};
}

Result<void> merge(ColoredTags& tags, const std::string& words)
{
    SUNDER_TRY(const auto names, pairOf(words, ',', "merge"));
    SUNDER_TRY(const int from, tagThere(tags.tags, names.first));
    SUNDER_TRY(const int into, tagThere(tags.tags, names.second));
    if (from == into)
        return fail(ErrorCode::usage, "--merge cannot merge tag \"" + names.first + "\" into itself");
    tags.tags = mergedTags(tags.tags, from, into);
    return {};
}

Result<void> order(const Program& program, ColoredTags& tags, const std::string& words)
{
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find(',', at), words.size());
        names.push_back(std::string_view(words).substr(at, end - at));
        at = end + 1;
    }
    SUNDER_TRY(const std::vector<int> wanted,
               words == "topological" ? topologicalTagOrder(program.rootGraph(), tags.tags) : tagOrderOf(tags.tags, names));
    tags.tags = reordered(tags.tags, wanted);
    return {};
}

Result<void> edit(const Invocation& invocation, const Program& program, ColoredTags& tags)
{
    const auto each = [&](const char* option, auto what) -> Result<void> {
        for (const QString& words : invocation.options.values(QLatin1String(option)))
            if (const Result<void> done = what(words.toStdString()); !done)
                return done;
        return {};
    };
    if (const Result<void> done = each("rename",
                                       [&](const std::string& words) { return rename(program.rootGraph(), tags, words); });
        !done)
        return done;
    SUNDER_PROPAGATE(each("merge", [&](const std::string& words) { return merge(tags, words); }));
    return each("order", [&](const std::string& words) { return order(program, tags, words); });
}

/// Adds nodes and bytes of each tag to the outcome.
void describeTags(const Program& program, const TagAssignment& tags, Outcome& outcome)
{
    const MemoryTable memory = memoryTable(program.tensors);
    const MemoryReads reads(program, memory);
    MemorySum weights(memory.bytes);
    std::vector<std::vector<NodeId>> nodesOf(tags.order.size());
    for (const NodeId id : program.rootGraph().nodes())
        if (const std::int32_t tag = tags[id]; tag >= 0 && program.rootGraph()[id].isCall())
            nodesOf[static_cast<std::size_t>(tag)].push_back(id);
    QJsonArray described;
    for (std::size_t i = 0; i < tags.order.size(); ++i) {
        std::uint64_t bytes = 0;
        weights.clear();
        for (const NodeId id : nodesOf[i])
            bytes += weights.add(reads.of(id));
        outcome.say(tags.order[i].str() + ": " + formatCount(nodesOf[i].size(), "node") + ", " + formatBytes(bytes));
        described.append(QJsonObject{{QStringLiteral("tag"), text(tags.order[i].view())},
                                     {QStringLiteral("nodes"), static_cast<qint64>(nodesOf[i].size())},
                                     {QStringLiteral("bytes"), static_cast<qint64>(bytes)}});
    }
    outcome.json[QStringLiteral("tags")] = described;
}

} // namespace

std::span<const CommandOption> tagEditOptions()
{
    static constexpr CommandOption kOptions[] = {
        CommandOption{Takes::text, "rename", "A=B", "Rename tag A to B."}.repeatable(),
        CommandOption{Takes::text, "merge", "A,B", "Give the nodes of tag A tag B, and remove A."}.repeatable(),
        {Takes::text, "order", "A,B,…|topological",
         "Set the order of all tags. With topological: sort them so that no edge runs backward."},
    };
    return kOptions;
}

bool editsTags(const Invocation& invocation)
{
    return invocation.isSet("rename") || invocation.isSet("merge") || invocation.isSet("order");
}

Result<Outcome> runTagEdits(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(ColoredTags tags,
               invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags"))
                                        : Result<ColoredTags>(ownColoredTags(program)));
    const Graph& graph = program.rootGraph();
    const TrainingGraph training = trainingGraph(program);
    const bool follows = backwardFollows(graph, training, tags.tags);
    SUNDER_PROPAGATE(edit(invocation, program, tags));
    if (follows)
        tags.tags = withBackwardFollowing(graph, training, tags.tags);
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeColoredTags(program, tags, at); }));
    Outcome outcome;
    describeTags(program, tags.tags, outcome);
    return outcome;
}

} // namespace sunder::cli
