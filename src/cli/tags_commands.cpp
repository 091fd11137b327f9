// sunder-cli tags …: edits of a tag list, and of the ops of its tags, as in the window.
#include "cli/tags_commands.h"

#include "analysis/part_names.h"
#include "analysis/sizes.h"
#include "cli/automatic_tagging.h"
#include "cli/backward_option.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "support/format.h"
#include "tagging/tag_list.h"

#include <algorithm>
#include <ranges>

namespace sunder::cli {
namespace {

/// Splits "A=B" or "A,B" into both sides.
Result<std::pair<std::string, std::string>> pairOf(const std::string& words, char between, const std::string& edit)
{
    const std::size_t at = words.find(between);
    if (at == std::string::npos || at == 0 || at + 1 == words.size())
        return fail(ErrorCode::usage, edit + " takes A" + between + "B, not " + words);
    return std::pair(words.substr(0, at), words.substr(at + 1));
}

Result<int> tagThere(const TagAssignment& tags, const std::string& name)
{
    const int tag = tagCalled(tags, name);
    if (tag < 0)
        return fail(ErrorCode::refused, "unknown tag \"" + name + '"');
    return tag;
}

Result<void> rename(const Graph& graph, ColoredTags& tags, const std::string& words, const TagEdits& edits)
{
    SUNDER_TRY(const auto names, pairOf(words, '=', edits.spelling + "rename"));
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

Result<void> merge(ColoredTags& tags, const std::string& words, const TagEdits& edits)
{
    SUNDER_TRY(const auto names, pairOf(words, ',', edits.spelling + "merge"));
    SUNDER_TRY(const int from, tagThere(tags.tags, names.first));
    SUNDER_TRY(const int into, tagThere(tags.tags, names.second));
    if (from == into)
        return fail(ErrorCode::usage, edits.spelling + "merge cannot merge tag \"" + names.first + "\" into itself");
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

Result<void> apply(const TagEdits& edits, const Program& program, ColoredTags& tags)
{
    for (const std::string& words : edits.renames)
        SUNDER_PROPAGATE(rename(program.rootGraph(), tags, words, edits));
    for (const std::string& words : edits.merges)
        SUNDER_PROPAGATE(merge(tags, words, edits));
    for (const std::string& words : edits.orders)
        SUNDER_PROPAGATE(order(program, tags, words));
    return {};
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
    JsonWriter& json = outcome.json;
    json.key("tags");
    json.list(std::views::iota(std::size_t{0}, tags.order.size()), [&](std::size_t i) {
        std::uint64_t bytes = 0;
        weights.clear();
        for (const NodeId id : nodesOf[i])
            bytes += weights.add(reads.of(id));
        outcome.say(tags.order[i].str() + ": " + formatCount(nodesOf[i].size(), "op") + ", " + formatBytes(bytes));
        json.object([&] {
            json.member("tag", tags.order[i].view());
            json.member("nodes", nodesOf[i].size());
            json.member("bytes", bytes);
        });
    });
}

constexpr CommandOption kEditOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tags to edit, instead of those in the model."},
    CommandOption{Takes::output, "o", "TAGS.json", "Tags file to write."}.required(),
};

/// Returns the arguments after IN.
std::vector<std::string> editsIn(const Invocation& invocation)
{
    return {invocation.files.begin() + 1, invocation.files.end()};
}

Result<Outcome> runRename(const Invocation& invocation)
{
    return runTagEdits(invocation, {.renames = editsIn(invocation), .spelling = "tags "});
}

Result<Outcome> runMerge(const Invocation& invocation)
{
    return runTagEdits(invocation, {.merges = editsIn(invocation), .spelling = "tags "});
}

Result<Outcome> runOrder(const Invocation& invocation)
{
    return runTagEdits(invocation, {.orders = editsIn(invocation), .spelling = "tags "});
}

Result<Outcome> runFill(const Invocation& invocation)
{
    const std::string& word = invocation.files[1];
    if (word != "earliest" && word != "latest")
        return fail(ErrorCode::usage, "tags fill takes earliest or latest, not " + word);
    return runAutomaticTagging(invocation, fillingOf(word));
}

Result<Outcome> runStraighten(const Invocation& invocation)
{
    return runAutomaticTagging(invocation, {.wish = {.way = TaggingRequest::Way::straighten}});
}

Result<Outcome> runBegin(const Invocation& invocation)
{
    SUNDER_TRY(const AutomaticTagging beginning, beginningOf(invocation.files[1], "tags begin"));
    return runAutomaticTagging(invocation, beginning);
}

} // namespace

Result<Outcome> runTagEdits(const Invocation& invocation, const TagEdits& edits)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(ColoredTags tags,
               invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags"))
                                        : Result<ColoredTags>(ownColoredTags(program)));
    const Graph& graph = program.rootGraph();
    const TrainingGraph training = trainingGraph(program);
    const bool follows = backwardFollows(graph, training, tags.tags);
    SUNDER_PROPAGATE(apply(edits, program, tags));
    if (follows)
        tags.tags = withBackwardFollowing(graph, training, tags.tags);
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("o"),
                                              [&](const std::string& at) { return writeColoredTags(program, tags, at); }));
    Outcome outcome;
    describeTags(program, tags.tags, outcome);
    return outcome;
}

Command tagsRenameCommand()
{
    return {"tags rename", "IN A=B…", "Rename tags: A becomes B.", joined({kEditOptions}), runRename};
}

Command tagsMergeCommand()
{
    return {"tags merge", "IN A,B…", "Merge tags: nodes of A get tag B, and A is removed.", joined({kEditOptions}), runMerge};
}

Command tagsOrderCommand()
{
    return {"tags order", "IN ORDER", "Set the order of all tags: A,B,… or topological, so that no edge runs backward.",
            joined({kEditOptions}), runOrder};
}

Command tagsFillCommand()
{
    return {"tags fill", "IN earliest|latest", "Give untagged nodes the earliest or the latest legal tag.",
            joined({kEditOptions, kBackwardOption}), runFill};
}

Command tagsStraightenCommand()
{
    return {"tags straighten", "IN", "Make stages contiguous, with as few changes as possible.",
            joined({kEditOptions, kBackwardOption}), runStraighten};
}

Command tagsBeginCommand()
{
    return {"tags begin", "IN TAG=NAME", "Move the beginning of TAG to a node or module.",
            joined({kEditOptions, kBackwardOption}), runBegin};
}

} // namespace sunder::cli
