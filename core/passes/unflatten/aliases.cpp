#include "passes/unflatten/aliases.h"

#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <unordered_set>

namespace sunder {
namespace {

/// Returns whether `user` is a view of `viewed`. Compares the storages of `val` if both are known; otherwise uses the operator's
/// known aliasing. Results of in-place writes are not views.
bool isView(OperatorCatalog& operators, const Node& user, InternedString its, NodeId viewed)
{
    if (user.op != Op::callFunction && user.op != Op::callMethod)
        return false;
    const OperatorFacts& facts = operators.of(user);
    const NodeArguments given(user);
    const CallFacts does = callFacts(facts, given);
    const InternedString mine = storageOf(user.meta.val);
    if (!mine.empty() && !its.empty())
        return mine == its && (does.written.empty() || !facts.known);
    const bool sure = does.result == ResultMemory::view || does.result == ResultMemory::is || facts.role == CallRole::getItem;
    return sure && does.written.empty() && !does.shared.empty() && given.argument(does.shared.front()).is(ArgumentKind::node)
        && given.argument(does.shared.front()).asNode() == viewed;
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
    OperatorCatalog operators;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const NodeId user : graph.users(found[i]))
            if (isView(operators, graph.node(user), storage, found[i]) && seen.insert(user).second)
                found.push_back(user);
    return found;
}

} // namespace sunder
