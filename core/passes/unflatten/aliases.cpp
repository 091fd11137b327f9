#include "passes/unflatten/aliases.h"

#include "ir/value_kind.h"
#include "verify/operator_facts.h"

#include <unordered_set>

namespace sunder {
namespace {

bool isView(const Node& user, InternedString its, NodeId viewed)
{
    if (user.op != Op::callFunction && user.op != Op::callMethod)
        return false;
    const OperatorFacts facts = operatorFacts(user.op, user.target.view());
    if (facts.write != WriteRule::none)
        return false;
    const InternedString mine = storageOf(user.meta.val);
    if (!mine.empty() && !its.empty())
        return mine == its;
    const bool first = !user.args.empty() && user.args.front().is(ArgumentKind::node) && user.args.front().asNode() == viewed;
    return first && (facts.aliasing == Aliasing::view || facts.role == CallRole::getItem);
}

} // namespace

std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder)
{
    return aliasesOf(graph, placeholder, storageOf(graph.node(placeholder).meta.val));
}

std::vector<NodeId> aliasesOf(const Graph& graph, NodeId node, InternedString storage)
{
    std::vector<NodeId> found{node};
    std::unordered_set<NodeId> seen{node};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const NodeId user : graph.users(found[i]))
            if (isView(graph.node(user), storage, found[i]) && seen.insert(user).second)
                found.push_back(user);
    return found;
}

} // namespace sunder
