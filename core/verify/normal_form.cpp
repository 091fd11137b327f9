#include "verify/normal_form.h"

#include "operators/exact_call.h"
#include "operators/literal_text.h"
#include "operators/operator_library.h"
#include "verify/known_graph.h"
#include "verify/normal_rules.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

/// Whether a value has unknown keys.
bool hasUnknownKeys(const Argument& argument)
{
    return !argument.extra().empty()
        || std::ranges::any_of(argument.items(), [](const Argument& item) { return hasUnknownKeys(item); });
}

/// Whether a node or an argument has unknown keys. Such nodes are not changed.
bool hasUnknownKeys(const Node& node)
{
    return !node.extra.empty()
        || std::ranges::any_of(node.args, [](const Argument& argument) { return hasUnknownKeys(argument); })
        || std::ranges::any_of(node.kwargs, [](const Keyword& keyword) { return hasUnknownKeys(keyword.value); });
}

/// Normalizes the calls of one graph.
class NormalGraph {
public:
    /// `believes`: as for KnownGraph.
    NormalGraph(Program& program, GraphId id, bool believes, OperatorCatalog& operators)
        : m_program(program), m_isRoot(id == program.root), m_graph(program.graph(id)), m_operators(operators),
          m_known(program, id, believes, operators)
    {
    }

    /// Returns whether a call changed. Fails with ErrorCode::cancelled.
    Result<bool> normalize(StepMonitor& steps)
    {
        for (const NodeId id : m_graph.order()) {
            SUNDER_PROPAGATE(steps.step());
            const Node& node = m_graph.node(id);
            if (node.op == Op::callFunction || node.op == Op::callMethod) {
                normalizeNode(id);
                continue;
            }
            m_known.remember(id);
        }
        dropDead();
        m_known.forget();
        if (m_isChanged && m_isRoot)
            renameInSignature();
        return m_isChanged;
    }

private:
    /// Removes unused calls that are pure and cannot fail.
    void dropDead()
    {
        std::vector<NodeId> order = m_graph.order();
        for (auto id = order.rbegin(); id != order.rend(); ++id)
            if (m_graph.node(*id).isCall() && m_graph.users(*id).empty() && !hasUnknownKeys(m_graph.node(*id))
                && m_known.succeeds(*id)) {
                (void)m_graph.erase(*id);
                m_isChanged = true;
            }
    }

    /// Makes a constant index into a tuple nonnegative.
    void normalizeItem(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (m_known.isKnownItem(node) && node.args[1].asInteger() < 0) {
            m_graph.rewriteConstants(
                id, {node.args[0], Argument::integer(node.args[1].asInteger() + *m_known.resultsOf(node.args[0]))}, {});
            m_isChanged = true;
        }
        m_known.remember(id);
    }

    void normalizeNode(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const OperatorFacts& facts = m_operators.of(node);
        if (facts.role == CallRole::getItem)
            return normalizeItem(id);
        const bool isPlain = (facts.role == CallRole::function || facts.role == CallRole::query) && facts.known
            && !node.meta.mutated && !hasUnknownKeys(node)
            && (isRegisteredOperator(node.target.view()) || m_known.takesTensor(id));
        const bool isRegistered = node.op == Op::callFunction && isRegisteredOperator(node.target.view());
        const Result<ChosenCall> chosen = isPlain ? exactCall(m_operators, m_graph, node, node.args, node.kwargs)
                                                  : Result<ChosenCall>(ChosenCall());
        if (!isPlain || !chosen) {
            if (isPlain && facts.isPython && node.op == Op::callFunction && !facts.ordersKeywords && facts.schema() != nullptr)
                return putInPlaces(id, facts);
            return m_known.remember(id);
        }
        const OperatorSchema* const called = m_known.schema(chosen->target);
        const bool isAccepted = called != nullptr && (isRegistered || returnsOneTensor(*called) || areResultsTaken(id));
        std::optional<NormalCall> call = isAccepted ? placed(chosen->target, chosen->args, chosen->kwargs, *called, m_known)
                                                    : std::nullopt;
        if (!call || (isRegistered && passesNumberForSizes(*call)))
            return m_known.remember(id);
        call->node = id;
        sunder::normalize(*call, m_known);
        if (call->same.isValid())
            return replace(id, call->same);
        NodeSpec spec{.op = Op::callFunction, .name = node.name, .target = call->target, .type = node.type, .meta = node.meta};
        std::tie(spec.args, spec.kwargs) = written(*call);
        if (node.op == Op::callFunction && node.target == spec.target && node.args == spec.args && node.kwargs == spec.kwargs)
            return m_known.remember(id);
        const InsertScope scope(m_graph, Graph::InsertPoint::before(id));
        const NodeId made = m_graph.insert(std::move(spec));
        m_known.remember(made);
        replace(id, made);
    }

    static bool returnsOneTensor(const OperatorSchema& schema)
    {
        return schema.results.size() == 1 && schema.results.front().type.view() == "Tensor";
    }

    /// Whether the results of a multi-result call are only used item by item or by tensor functions. The containers themselves
    /// differ: functions return tuples, some of them named, where operators return lists or tuples.
    [[nodiscard]] bool areResultsTaken(NodeId id) const
    {
        return std::ranges::all_of(m_graph.users(id), [&](NodeId user) {
            const Node& node = m_graph.node(user);
            const OperatorFacts& facts = m_operators.of(node);
            const bool takesLists = facts.known && facts.role == CallRole::function && node.target.view().starts_with("torch.");
            const bool isItem = facts.role == CallRole::getItem && node.args.size() == 2 && node.args[0] == Argument::node(id)
                && node.args[1].is(ArgumentKind::integer);
            return isItem || (node.op == Op::callFunction && takesLists);
        });
    }

    /// Passes the arguments of a Python function by position if possible, including defaults.
    void putInPlaces(NodeId id, const OperatorFacts& facts)
    {
        const Node& node = m_graph.node(id);
        std::optional<NormalCall> call = placed(node.target, node.args, node.kwargs, *facts.schema(), m_known);
        if (call) {
            const auto [args, kwargs] = written(*call);
            if (node.args != args || node.kwargs != kwargs) {
                m_graph.setArguments(id, args, kwargs);
                m_isChanged = true;
            }
        }
        m_known.remember(id);
    }

    static std::pair<Arguments, Keywords> written(const NormalCall& call)
    {
        std::pair<Arguments, Keywords> made;
        const std::size_t positional = call.schema->positionalCount();
        bool byPosition = true;
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            byPosition = byPosition && i < positional && call.arguments[i];
            if (byPosition)
                made.first.push_back(*call.arguments[i]);
            else if (call.arguments[i])
                made.second.push_back({call.schema->arguments[i].name, *call.arguments[i]});
        }
        return made;
    }

    /// Replaces a node by another that does not depend on it.
    void replace(NodeId id, NodeId by)
    {
        m_isChanged = true;
        m_graph.replaceAllUses(id, by);
        m_replaced.emplace(id, by);
        m_names.emplace(m_graph.node(id).name, by);
        (void)m_graph.erase(id); // cannot fail: the node has no users left
    }

    /// Updates references by id or name in the signature and in module calls.
    void renameInSignature()
    {
        const auto now = [this](NodeId id) {
            const auto found = m_replaced.find(id);
            return Argument::node(found != m_replaced.end() ? found->second : id);
        };
        if (m_program.signature) {
            renameNodes(*m_program.signature, [this](InternedString name) {
                const auto found = m_names.find(name);
                return found != m_names.end() ? m_graph.node(found->second).name : name;
            });
            replaceNodes(*m_program.signature, now);
        }
        for (ModuleCall& call : m_program.calls)
            replaceNodes(call, now);
    }

    Program& m_program;
    bool m_isRoot;
    Graph& m_graph;
    OperatorCatalog& m_operators;
    KnownGraph m_known;
    std::unordered_map<NodeId, NodeId> m_replaced;
    std::unordered_map<InternedString, NodeId> m_names; ///< of replaced nodes
    bool m_isChanged = false;
};

/// Returns the root graph and the graphs with a single caller, whose descriptions are for that call.
std::vector<GraphId> graphsCalledOnce(const Program& program)
{
    const auto graphsOf = [&](GraphId graph, const Node& node) {
        std::vector<GraphId> named;
        if (node.op == Op::callModule || node.op == Op::getAttr)
            if (const ModuleId found = namedModule(program, program.owners[graph.index()], node.target); found.isValid()) {
                const Module& module = program.modules[found];
                if (module.graph.isValid())
                    named.push_back(module.graph);
                for (const GraphId called : module.calls.value_or(std::vector<GraphId>()))
                    // The index of the call selects the graph, so it counts as called several times.
                    named.insert(named.end(), 2, called);
            }
        const auto collect = [&](const auto& self, const Argument& argument) -> void {
            if (argument.is(ArgumentKind::graph))
                named.push_back(argument.asGraph());
            for (const Argument& item : argument.items())
                self(self, item);
        };
        for (const Argument& argument : node.args)
            collect(collect, argument);
        for (const Keyword& keyword : node.kwargs)
            collect(collect, keyword.value);
        return named;
    };
    std::vector<std::uint32_t> calls(program.graphs.size(), 0);
    std::vector<std::vector<GraphId>> called(program.graphs.size());
    for (std::size_t i = 0; i < program.graphs.size(); ++i)
        for (const NodeId id : program.graphs[i].nodes())
            for (const GraphId named : graphsOf(GraphId(i), program.graphs[i].node(id))) {
                ++calls[named.index()];
                called[i].push_back(named);
            }
    std::vector<GraphId> once{program.root};
    for (std::size_t i = 0; i < once.size(); ++i)
        for (const GraphId named : called[once[i].index()])
            if (calls[named.index()] == 1 && named != program.root && program.owners[named.index()].isValid())
                once.push_back(named);
    return once;
}

} // namespace

Result<std::optional<Program>> normalForm(const Program& program, bool keepsShapes, OperatorCatalog& operators,
                                          ProgressMonitor& monitor)
{
    StepMonitor steps(monitor);
    Program normal = program;
    bool isChanged = false;
    for (const GraphId graph : graphsCalledOnce(program)) {
        SUNDER_TRY(const bool isOther, NormalGraph(normal, graph, keepsShapes, operators).normalize(steps));
        isChanged = isOther || isChanged;
    }
    return isChanged ? std::optional(std::move(normal)) : std::nullopt;
}

} // namespace sunder
