#include "analysis/outline_tree.h"
#include "analysis/search/find_nodes.h"
#include "analysis/search/node_matcher.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <QJsonArray>

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

QJsonObject foundJson(const Snapshot& snapshot, const TagAssignment& tags, NodeId id)
{
    const Node& node = snapshot.graph()[id];
    QJsonObject json{{QStringLiteral("name"), text(node.name.view())},
                     {QStringLiteral("op"), text(name(node.op))},
                     {QStringLiteral("target"), text(node.target.view())},
                     {QStringLiteral("module"), text(modulePathOf(snapshot.program, node))},
                     {QStringLiteral("bytes"), static_cast<qint64>(snapshot.sizes.outputBytes[id.index()])},
                     {QStringLiteral("weights"), static_cast<qint64>(snapshot.sizes.parameterBytes[id.index()])}};
    if (node.meta.val)
        json[QStringLiteral("type")] = text(describeValue(*node.meta.val));
    if (const std::int32_t tag = tags[id]; tag >= 0)
        json[QStringLiteral("tag")] = text(tags.order[static_cast<std::size_t>(tag)].view());
    return json;
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
    QJsonArray nodes;
    for (const NodeId id : found) {
        outcome.say(lineOf(snapshot, id));
        nodes.append(foundJson(snapshot, tags, id));
    }
    outcome.json[QStringLiteral("nodes")] = nodes;
    if (!found.empty())
        return outcome;
    SUNDER_TRY(const std::string why, whyNothing(snapshot, tags, query, invocation.monitor));
    outcome.status = exitStatus(ErrorCode::refused);
    outcome.say(why);
    outcome.json[QStringLiteral("why")] = text(why);
    return outcome;
}

} // namespace

Command findCommand()
{
    return {"find", "IN QUERY", "List the nodes that match a query.", joined({kFindOptions}), runFind};
}

} // namespace sunder::cli
