#include "ir/getitem.h"
#include "operators/operator_library.h"
#include "passes/unflatten/flat_graph.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::string_view kWithEffects = "torch.ops.higher_order.with_effects";
constexpr std::string_view kInvoke = "torch.ops.higher_order.invoke_subgraph";

bool isWithEffects(const Node& node)
{
    static const InternedString kTarget = intern(kWithEffects);
    return node.op == Op::callFunction && node.target == kTarget && node.args.size() >= 2 && node.args[0].is(ArgumentKind::node)
        && node.args[1].is(ArgumentKind::function);
}

bool holdsEffects(const Graph& graph)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return isWithEffects(graph.node(id)); });
}

/// Returns which item of `of` a node takes; -1 if none.
std::int64_t itemOf(const Node& node, NodeId of)
{
    const std::optional<std::int64_t> number = itemNumber(node);
    return number && node.args[0].asNode() == of ? *number : -1;
}

/// Removes tokens from one graph.
class TokenRemover {
public:
    TokenRemover(Program& program, GraphId id, const std::unordered_set<InternedString>& effectful)
        : m_graph(program.graph(id)), m_effectful(effectful)
    {
    }

    std::vector<ReplacedNode> run()
    {
        for (const NodeId id : m_graph.order()) {
            if (isWithEffects(m_graph.node(id)))
                replaceCall(id);
            else if (m_graph.node(id).op == Op::callFunction && m_graph.node(id).target.view() == kInvoke)
                replaceInvoke(id);
        }
        if (!m_outputTokens.empty())
            dropOutputs();
        for (auto dead = m_dead.rbegin(); dead != m_dead.rend(); ++dead)
            if (m_graph.node(*dead).userCount() == 0 && !m_graph.node(*dead).isErased())
                (void)m_graph.erase(*dead);
        for (const NodeId token : m_inputTokens)
            if (!m_graph.node(token).isErased() && m_graph.node(token).userCount() == 0)
                (void)m_graph.erase(token);
        return std::move(m_replaced);
    }

private:
    void noteToken(NodeId token)
    {
        if (m_graph.node(token).op == Op::placeholder)
            m_inputTokens.push_back(token);
    }

    void noteOutputToken(NodeId item)
    {
        for (const NodeId user : m_graph.users(item))
            if (m_graph.node(user).op == Op::output)
                m_outputTokens.push_back(item);
        m_dead.push_back(item);
    }

    /// Returns the number of results of the operator itself: from the value of the call, else from the items used.
    std::size_t returnCount(NodeId id) const
    {
        const std::optional<Argument>& val = m_graph.node(id).meta.val;
        if (val && val->isCompound() && !val->items().empty())
            return val->items().size() == 2 && val->items()[1].isNone() ? 0 : val->items().size() - 1;
        std::int64_t most = 0;
        for (const NodeId user : m_graph.users(id))
            most = std::max(most, itemOf(m_graph.node(user), id));
        return static_cast<std::size_t>(most);
    }

    void replaceCall(NodeId id)
    {
        const Node from = m_graph.node(id);
        noteToken(from.args[0].asNode());
        const InternedString target = from.args[1].text();
        const InternedString fn = intern(functionName(target.view()));
        NodeId call;
        {
            const InsertScope scope(m_graph, Graph::InsertPoint::before(id));
            call = m_graph.create({.op = Op::callFunction,
                                   .target = target,
                                   .fn = fn,
                                   .args = Arguments(from.args.begin() + 2, from.args.end()),
                                   .kwargs = from.kwargs,
                                   .meta = from.meta});
        }
        m_replaced.push_back({call, id});
        const std::size_t returns = returnCount(id);
        setVal(call, from, returns);
        m_dead.push_back(id);
        std::vector<NodeId> users;
        for (const NodeId user : m_graph.users(id))
            users.push_back(user);
        for (const NodeId user : users)
            moveItem(user, id, call, returns);
    }

    void moveItem(NodeId user, NodeId from, NodeId call, std::size_t returns)
    {
        const std::int64_t item = itemOf(m_graph.node(user), from);
        if (item == 0) {
            noteOutputToken(user);
        } else if (item > 0 && returns == 0) {
            m_dead.push_back(user); // the operator has no results
        } else if (item > 0 && returns == 1) {
            m_graph.replaceAllUses(user, call);
            m_dead.push_back(user);
        } else if (item > 0) {
            m_graph.setArguments(user, {Argument::node(call), Argument::integer(item - 1)}, {});
        }
    }

    void setVal(NodeId call, const Node& from, std::size_t returns)
    {
        std::optional<Argument>& val = m_graph.meta(call).val;
        if (!from.meta.val || !from.meta.val->isCompound())
            val.reset();
        else if (returns == 0)
            val.reset();
        else if (returns == 1)
            val = from.meta.val->items()[1];
        else
            val = Argument::tuple(Arguments(from.meta.val->items().begin() + 1, from.meta.val->items().end()));
    }

    /// Returns the __name__ of an overload: "torch.ops.aten._print.default" → "_print.default".
    static std::string functionName(std::string_view target)
    {
        if (!isRegisteredOperator(target))
            return {};
        const std::size_t last = target.rfind('.');
        const std::size_t before = last == std::string_view::npos ? last : target.rfind('.', last - 1);
        return before == std::string_view::npos ? std::string() : std::string(target.substr(before + 1));
    }

    void replaceInvoke(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (node.args.size() < 3 || !node.args[0].is(ArgumentKind::node) || !node.args[2].is(ArgumentKind::node)
            || !m_effectful.contains(m_graph.node(node.args[0].asNode()).target))
            return;
        noteToken(node.args[2].asNode());
        Arguments args = node.args;
        args.erase(args.begin() + 2);
        m_graph.setArguments(id, std::move(args), node.kwargs);
        std::vector<NodeId> users;
        for (const NodeId user : m_graph.users(id))
            users.push_back(user);
        for (const NodeId user : users) {
            const std::int64_t item = itemOf(m_graph.node(user), id);
            if (item == 0)
                noteOutputToken(user);
            else if (item > 0)
                m_graph.setArguments(user, {Argument::node(id), Argument::integer(item - 1)}, {});
        }
    }

    /// Removes the tokens, which are the first outputs.
    void dropOutputs()
    {
        const NodeId output = m_graph.output();
        if (!output || m_graph.node(output).args.empty())
            return;
        const std::span<const Argument> items = m_graph.node(output).args[0].items();
        if (items.size() < m_outputTokens.size())
            return;
        Arguments kept(items.begin() + static_cast<std::ptrdiff_t>(m_outputTokens.size()), items.end());
        m_graph.meta(output).val.reset();
        m_graph.setArguments(output, {Argument::tuple(std::move(kept))}, {});
    }

    Graph& m_graph;
    const std::unordered_set<InternedString>& m_effectful;
    std::vector<NodeId> m_inputTokens;
    std::vector<NodeId> m_outputTokens;
    std::vector<NodeId> m_dead;
    std::vector<ReplacedNode> m_replaced;
};

} // namespace

bool hasEffectTokens(const Program& program)
{
    if (program.signature)
        for (const InputSpec& input : program.signature->inputs)
            if (input.kind == InputKind::token)
                return true;
    return std::any_of(program.graphs.begin(), program.graphs.end(), holdsEffects);
}

std::vector<ReplacedNode> removeEffectTokens(Program& program)
{
    std::unordered_set<InternedString> effectful; // attribute names by which the root calls graphs with effects
    for (const ModuleId child : program.modules[ModuleTree::root()].children) {
        const GraphId graph = program.modules[program.modules.object(child)].graph;
        if (graph && holdsEffects(program.graph(graph)))
            effectful.insert(program.modules[child].path);
    }
    std::vector<ReplacedNode> replaced;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        std::vector<ReplacedNode> found = TokenRemover(program, GraphId(i), effectful).run();
        if (GraphId(i) == program.root)
            replaced = std::move(found);
    }
    if (!program.signature)
        return replaced;
    std::erase_if(program.signature->inputs, [](const InputSpec& input) { return input.kind == InputKind::token; });
    std::erase_if(program.signature->outputs, [](const OutputSpec& output) { return output.kind == OutputKind::token; });
    return replaced;
}

} // namespace sunder
