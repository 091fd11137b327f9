#include "analysis/outline_tree.h"
#include "analysis/search/find_nodes.h"
#include "analysis/search/node_matcher.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "ir/value_kind.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kFindOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tags for tag: terms, instead of those in the model."}};

std::string shownTarget(const Node& node)
{
    return std::string(node.isCall() ? shortTarget(node.target.view()) : name(node.op));
}

std::string lineOf(const Snapshot& snapshot, NodeId id)
{
    const Node& node = snapshot.graph()[id];
    std::string line = node.name.str() + "  " + shownTarget(node);
    if (node.meta.val)
        line += "  " + describeValue(*node.meta.val);
    const std::string_view module = modulePathOf(snapshot.program, node);
    return module.empty() ? line : line + "  in " + std::string(module);
}

/// Writes the members of a node.
void write(const Snapshot& snapshot, const TagAssignment& tags, NodeId id, JsonWriter& json)
{
    const Node& node = snapshot.graph()[id];
    json.member("name", node.name.view());
    json.member("op", name(node.op));
    json.member("target", node.target.view());
    json.member("module", modulePathOf(snapshot.program, node));
    if (node.meta.val)
        json.member("type", describeValue(*node.meta.val));
    if (const std::int32_t tag = tags[id]; tag >= 0)
        json.member("tag", tags.order[static_cast<std::size_t>(tag)].view());
    json.member("bytes", snapshot.sizes.outputBytes[id.index()]);
    json.member("weights", snapshot.sizes.parameterBytes[id.index()]);
}

Result<Outcome> runFind(const Invocation& invocation)
{
    SUNDER_TRY(const NodeQuery query, parseQuery(invocation.files[1]));
    if (query.empty())
        return fail(ErrorCode::usage, "find needs a query, such as op:mul, module:layers.3, or \"bytes>1MB\"");
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment tags,
               invocation.isSet("tags") ? readTags(program, invocation.value("tags"))
                                        : Result<TagAssignment>(tagsOnNodes(program)));
    const Snapshot snapshot(std::move(program));
    SUNDER_TRY(const std::vector<NodeId> found,
               invocation.timer.measure("find", [&] { return findNodes(snapshot, tags, query, invocation.monitor); }));
    Outcome outcome;
    JsonWriter& json = outcome.json;
    json.key("nodes");
    json.list(found, [&](NodeId id) {
        outcome.say(lineOf(snapshot, id));
        json.object([&] { write(snapshot, tags, id, json); });
    });
    if (!found.empty())
        return outcome;
    SUNDER_TRY(const std::string why, whyNothing(snapshot, tags, query, invocation.monitor));
    outcome.status = exitStatus(ErrorCode::refused);
    outcome.say(why);
    json.member("why", why);
    return outcome;
}

} // namespace

Command findCommand()
{
    return {"find", "IN QUERY", "List the nodes that match a query.", joined({kFindOptions}), runFind};
}

} // namespace sunder::cli
