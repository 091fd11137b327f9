#include "analysis/fill/fill.h"
#include "analysis/fill/fill_effect.h"
#include "analysis/part_names.h"
#include "analysis/search/find_nodes.h"
#include "analysis/training/followed_changes.h"
#include "cli/backward_option.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/occurrences.h"
#include "tagging/tag_list.h"

#include <algorithm>
#include <optional>

namespace sunder::cli {
namespace {

/// Returns the ids of all scopes, joined by "|".
const char* scopeIds()
{
    static const std::string ids = [] {
        std::string all;
        for (const FillScopeWords& words : kFillScopes)
            all += (all.empty() ? "" : "|") + std::string(words.id);
        return all;
    }();
    return ids.c_str();
}

std::vector<CommandOption> paintOptions()
{
    const CommandOption options[] = {
        {Takes::input, "tags", "TAGS.json", "Current tags, instead of those in the model."},
        CommandOption{Takes::text, "tag", "TAG", "Tag to give. A new tag is appended to the order."}.required(),
        CommandOption{Takes::text, "scope", "SCOPE",
                      "Ops that get the tag. Of the same kind as NODE: module, class, operator, shape, or occurrences (of its "
                      "repeated region). Along edges: needed (by NODE), needing (NODE), or between (NODE and --to). Connected to "
                      "NODE: connected (same tag) or alike (same operator)."}
            .required(),
        CommandOption{Takes::text, "at", "NODE", "Node or module to start from."}.required(),
        {Takes::text, "to", "NODE", "With --scope between: node or module at the other end."},
        CommandOption{Takes::number, "width", "N",
                      "With --scope module, class, or alike: number of enclosing modules by which to widen it. Default: 0."}
            .usually("0"),
        CommandOption{Takes::output, "o", "TAGS.json", "Tags file to write."}.required(),
    };
    return joined({options, kBackwardOption});
}

/// The nodes that a name on the command line denotes.
struct NamedPick {
    std::vector<NodeId> nodes;
    std::string module;
};

Result<NamedPick> pickOf(const Snapshot& snapshot, const std::string& name)
{
    if (const NodeId node = snapshot.graph().find(intern(name)))
        return NamedPick{.nodes = {node}, .module = {}};
    std::vector<NodeId> inModule = name.empty() ? std::vector<NodeId>() : nodesIn(snapshot.program, name);
    if (inModule.empty())
        return fail(ErrorCode::refused, "\"" + name + "\" is neither a node nor a module that contains nodes", {.node = name});
    return NamedPick{.nodes = std::move(inModule), .module = name};
}

/// The parsed options that do not depend on the model.
struct PaintWords {
    FillScope scope = FillScope::module;
    std::size_t width = 0;
    BackwardTags backward = BackwardTags::follow;
};

Result<PaintWords> wordsOf(const Invocation& invocation)
{
    const std::optional<FillScope> scope = fillScopeOf(invocation.value("scope"));
    if (!scope)
        return fail(ErrorCode::usage, std::string("--scope takes one of ") + scopeIds() + ", not " + invocation.value("scope"));
    if ((*scope == FillScope::between) != invocation.isSet("to"))
        return fail(ErrorCode::usage, "--scope between needs --to, and --to needs --scope between");
    return PaintWords{.scope = *scope, .width = invocation.number("width"), .backward = backwardOf(invocation)};
}

Result<ColoredTags> tagsToPaint(const Invocation& invocation, const Program& program)
{
    Result<ColoredTags> read = invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags"))
                                                        : Result<ColoredTags>(ownColoredTags(program));
    if (read && read->tags.tagOf.size() < program.rootGraph().idBound())
        read->tags.tagOf.resize(program.rootGraph().idBound(), TagAssignment::kUntagged);
    return read;
}

/// Returns the index of the tag; appends the tag if it is missing.
std::int32_t placeOf(TagAssignment& tags, InternedString tag)
{
    const auto at = std::ranges::find(tags.order, tag);
    const auto place = static_cast<std::int32_t>(at - tags.order.begin());
    if (at == tags.order.end())
        tags.order.push_back(tag);
    return place;
}

Result<Fill> fillAt(const Invocation& invocation, const Snapshot& snapshot, const TagAssignment& tags, const PaintWords& words)
{
    SUNDER_TRY(const NamedPick at, pickOf(snapshot, invocation.value("at")));
    Result<NamedPick> first = NamedPick{};
    if (words.scope == FillScope::between)
        first = pickOf(snapshot, invocation.value("to"));
    SUNDER_PROPAGATE(first);
    OccurrenceTable occurrences;
    if (words.scope == FillScope::occurrences) {
        SUNDER_TRY(const RegionResult regions, findRegions(snapshot.program, {}, invocation.monitor));
        occurrences = occurrencesOf(regions, snapshot.graph().idBound());
    }
    return fillOf(snapshot, tags,
                  {.scope = words.scope,
                   .pick = at.nodes,
                   .module = at.module,
                   .other = first->nodes,
                   .otherModule = first->module,
                   .width = words.width,
                   .occurrences = &occurrences});
}

void describePaint(const Fill& fill, const FillEffect& effect, const std::string& tag, Outcome& outcome)
{
    outcome.say(fill.what + ": " + describeAmount(effect) + " → " + tag);
    outcome.say(describeLegality(effect));
    JsonWriter& json = outcome.json;
    json.member("what", fill.what);
    json.member("ops", effect.ops);
    json.member("taken", fill.nodes.size());
    json.member("bytes", effect.bytes);
    json.member("backward_added", effect.backwardAdded);
    json.member("backward_mended", effect.backwardMended);
    json.member("backward", effect.backwardAfter());
    json.member("untagged", effect.untaggedAfter);
    json.member("legal", effect.isLegal());
}

/// Applies a fill. If the backward pass follows, paints the forward pass.
FillEffect paintFill(const Snapshot& snapshot, const Fill& fill, bool follows, TagAssignment& tags, std::int32_t tag)
{
    if (!follows) {
        const FillEffect effect = fillEffect(snapshot, tags, fill.nodes, tag);
        for (const NodeId id : fill.nodes)
            tags.tagOf[id.index()] = tag;
        return effect;
    }
    WantedTags wanted;
    for (const NodeId id : fill.nodes)
        wanted.emplace_back(id, tag);
    wanted = meantForward(snapshot.training, tags.order, std::move(wanted));
    std::erase_if(wanted, [&](const auto& one) { return tags[one.first] == one.second; });
    const WantedTags changes = withFollowing(snapshot, tags, std::move(wanted));
    const FillEffect effect = followedEffect(snapshot, tags, changes, tag);
    for (const auto& [node, to] : changes)
        tags.tagOf[node.index()] = to;
    tags = withBackwardFollowing(snapshot.graph(), snapshot.training, tags);
    return effect;
}

/// Checks the name of a new tag. Existing tags can have any name; `check` reports invalid ones.
Result<void> checkNewTag(const Graph& graph, const TagAssignment& tags, const std::string& name)
{
    if (tagCalled(tags, name) >= 0)
        return {};
    if (const std::optional<std::string> why = whyNoPartName(graph, name); why)
        return fail(ErrorCode::refused, "the tag \"" + name + "\" cannot name a part: " + *why, {.other = name});
    return {};
}

/// Adds the tag to the order and, if the backward pass follows, a backward tag per forward tag. Returns the index of the tag.
std::int32_t placeToPaint(const Snapshot& snapshot, bool follows, TagAssignment& tags, InternedString tag)
{
    const std::int32_t place = placeOf(tags, tag);
    if (!follows)
        return place;
    tags = withBackwardFollowing(snapshot.graph(), snapshot.training, tags, EmptyBackwardTags::keep);
    return placeOf(tags, tag);
}

/// Returns whether the backward pass follows. Without the option, tags that do not follow stay separate.
bool followsForward(const Invocation& invocation, const Snapshot& snapshot, const TagAssignment& tags, BackwardTags backward,
                    Outcome& outcome)
{
    const TrainingGraph training = followedBackward(invocation, snapshot.program, backward, outcome);
    return training.isTraining() && (invocation.isSet("backward") || backwardFollows(snapshot.graph(), snapshot.training, tags));
}

Result<Outcome> runPaint(const Invocation& invocation)
{
    SUNDER_TRY(const PaintWords words, wordsOf(invocation));
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(ColoredTags tags, tagsToPaint(invocation, program));
    const Snapshot snapshot(std::move(program));
    Outcome outcome;
    const bool follows = followsForward(invocation, snapshot, tags.tags, words.backward, outcome);
    SUNDER_PROPAGATE(checkNewTag(snapshot.graph(), tags.tags, invocation.value("tag")));
    const std::int32_t tag = placeToPaint(snapshot, follows, tags.tags, intern(invocation.value("tag")));
    SUNDER_TRY(const Fill fill, invocation.timer.measure("fill", [&] { return fillAt(invocation, snapshot, tags.tags, words); }));
    const FillEffect effect = paintFill(snapshot, fill, follows, tags.tags, tag);
    SUNDER_PROPAGATE(invocation.outputs.write(
        invocation.value("o"), [&](const std::string& at) { return writeColoredTags(snapshot.program, tags, at); }));
    describePaint(fill, effect, invocation.value("tag"), outcome);
    return outcome;
}

} // namespace

Command paintCommand()
{
    return {"paint", "IN", "Give a tag to the ops in a scope around a node or module.", paintOptions(), runPaint};
}

} // namespace sunder::cli
