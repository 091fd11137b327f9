#include "passes/unflatten/aliases.h"

#include "ir/tensor_meta.h"
#include "verify/operator_facts.h"

#include <unordered_set>

namespace sunder {
namespace {

InternedString storageOf(const Node& node)
{
    const std::optional<Argument>& val = node.meta.val;
    return val && val->is(ArgumentKind::tensor) ? val->asTensor().storage : InternedString();
}

bool isView(const Node& user, const Node& placeholder, NodeId viewed)
{
    if (user.op != Op::callFunction && user.op != Op::callMethod)
        return false;
    const OperatorFacts facts = operatorFacts(user.op, user.target.view());
    if (facts.write != WriteRule::none)
        return false;
    const InternedString mine = storageOf(user);
    const InternedString its = storageOf(placeholder);
    if (!mine.empty() && !its.empty())
        return mine == its;
    const bool first = !user.args.empty() && user.args.front().is(ArgumentKind::node) && user.args.front().asNode() == viewed;
    return first && (facts.aliasing == Aliasing::view || facts.role == CallRole::getItem);
}

} // namespace

std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder)
{
    std::vector<NodeId> found{placeholder};
    std::unordered_set<NodeId> seen{placeholder};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const NodeId user : graph.users(found[i]))
            if (isView(graph.node(user), graph.node(placeholder), found[i]) && seen.insert(user).second)
                found.push_back(user);
    return found;
}

} // namespace sunder
