#include "verify/normal_form.h"

#include "ir/value_kind.h"
#include "operators/exact_call.h"
#include "operators/literal_text.h"
#include "operators/operator_target.h"
#include "verify/normal_rules.h"

#include <bit>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value)
{
    return (seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U))) * 0xff51afd7ed558ccdULL;
}

std::uint64_t hashOf(InternedString text)
{
    return std::hash<std::string_view>()(text.view());
}

/// One program while its calls are brought into normal form.
class NormalForm final : private KnownNodes {
public:
    NormalForm(const Program& program, OperatorCatalogue& operators)
        : m_program(program), m_graph(m_program.rootGraph()), m_operators(operators), m_shapes(m_graph.idBound()),
          m_liesForSure(m_graph.idBound())
    {
        if (m_program.signature)
            for (const InputSpec& spec : m_program.signature->inputs)
                if (spec.kind == InputKind::user && spec.value.is(ArgumentKind::node))
                    m_userInputs.insert(spec.value.asNode());
    }

    std::optional<Program> build(ProgressMonitor& monitor)
    {
        std::uint64_t position = 0;
        std::size_t done = 0;
        for (const NodeId id : m_graph.order()) {
            constexpr std::size_t kNodesPerQuestion = 1024;
            if (done++ % kNodesPerQuestion == 0 && monitor.isCancelled())
                return std::nullopt;
            const Node& node = m_graph.node(id);
            if (node.op == Op::callFunction || node.op == Op::callMethod) {
                normalizeNode(id);
                continue;
            }
            remember(id,
                     mixed(static_cast<std::uint64_t>(node.op), node.op == Op::placeholder ? position++ : hashOf(node.target)),
                     node.op == Op::getAttr || (node.op == Op::placeholder && isOfModel(id)));
        }
        if (!m_isChanged)
            return std::nullopt;
        renameInSignature();
        return std::move(m_program);
    }

private:
    // KnownNodes
    [[nodiscard]] const Argument* value(const Argument& argument) const override
    {
        if (!argument.is(ArgumentKind::node))
            return nullptr;
        const std::optional<Argument>& val = m_graph.node(argument.asNode()).meta.val;
        return val ? &*val : nullptr;
    }

    [[nodiscard]] const TensorMeta* tensor(const Argument& argument) const override
    {
        if (const Argument* val = value(argument))
            return val->is(ArgumentKind::tensor) ? &val->asTensor() : nullptr;
        if (!argument.is(ArgumentKind::node) || m_graph.node(argument.asNode()).op != Op::getAttr)
            return nullptr;
        const TensorId found = m_program.tensorAt(m_graph.node(argument.asNode()).target);
        return found.isValid() ? &m_program.tensors[found].meta : nullptr;
    }

    [[nodiscard]] bool liesForSure(const Argument& argument) const override
    {
        return argument.is(ArgumentKind::node) && m_liesForSure[argument.asNode().index()];
    }

    [[nodiscard]] std::uint64_t shapeOf(const Argument& argument) const override
    {
        std::uint64_t shape = static_cast<std::uint64_t>(argument.kind());
        switch (argument.kind()) {
        case ArgumentKind::node: return m_shapes[argument.asNode().index()];
        case ArgumentKind::boolean: return mixed(shape, argument.asBoolean() ? 1 : 0);
        case ArgumentKind::integer: return mixed(shape, static_cast<std::uint64_t>(argument.asInteger()));
        case ArgumentKind::floating: return mixed(shape, std::bit_cast<std::uint64_t>(argument.asFloating()));
        case ArgumentKind::string:
        case ArgumentKind::dtype:
        case ArgumentKind::device: return mixed(shape, hashOf(argument.text()));
        default:
            for (const Argument& item : argument.items())
                shape = mixed(shape, shapeOf(item));
            return shape;
        }
    }

    [[nodiscard]] const OperatorSchema* schema(InternedString target) const override
    {
        return m_operators.of(Op::callFunction, target).schema();
    }

    /// Whether a placeholder is a tensor of the model, or a tensor without dimensions, which lies in one way.
    [[nodiscard]] bool isOfModel(NodeId id) const
    {
        const TensorMeta* const meta = tensorOf(m_graph.node(id).meta.val);
        return (meta != nullptr && meta->shape.empty()) || (m_program.signature && !m_userInputs.contains(id));
    }

    void remember(NodeId id, std::uint64_t shape, bool liesForSure)
    {
        if (id.index() >= m_shapes.size()) {
            m_shapes.resize(m_graph.idBound());
            m_liesForSure.resize(m_graph.idBound());
        }
        m_shapes[id.index()] = shape;
        m_liesForSure[id.index()] = liesForSure;
    }

    void rememberCall(NodeId id, const OperatorFacts& facts)
    {
        const Node& node = m_graph.node(id);
        std::uint64_t shape = mixed(static_cast<std::uint64_t>(node.op), hashOf(node.target));
        for (const Argument& argument : node.args)
            shape = mixed(shape, shapeOf(argument));
        for (const Keyword& keyword : node.kwargs)
            shape = mixed(mixed(shape, hashOf(keyword.key)), shapeOf(keyword.value));
        bool lies = facts.known && !facts.isPython;
        for (const NodeId input : m_graph.inputs(id))
            lies = lies && m_liesForSure[input.index()];
        lies = lies || (facts.schema() != nullptr && laysDensely(facts.schema()->packet.view()));
        remember(id, shape, lies);
    }

    /// The call with an argument for all that its schema has; nothing where it does not fit.
    std::optional<NormalCall> placed(const ChosenCall& chosen, const OperatorSchema& schema) const
    {
        NormalCall call{.schema = &schema, .arguments = {}, .target = chosen.target};
        call.arguments.resize(schema.arguments.size());
        if (schema.takesMore || chosen.args.size() > schema.positionalCount())
            return std::nullopt;
        for (std::size_t i = 0; i < chosen.args.size(); ++i)
            call.arguments[i] = std::as_const(chosen.args)[i];
        for (const Keyword& keyword : chosen.kwargs) {
            const std::optional<std::size_t> at = schema.find(keyword.key);
            if (!at || call.arguments[*at])
                return std::nullopt;
            call.arguments[*at] = keyword.value;
        }
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            if (call.arguments[i])
                continue;
            if (!schema.arguments[i].hasDefault)
                return std::nullopt;
            call.arguments[i] = defaultOf(schema.arguments[i]);
        }
        return call;
    }

    /// Whether it is given a described tensor, so that what Python's operators and methods do is what tensors do.
    [[nodiscard]] bool takesTensor(NodeId id) const
    {
        for (const NodeId input : m_graph.inputs(id))
            if (tensor(Argument::node(input)) != nullptr)
                return true;
        return false;
    }

    void normalizeNode(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const OperatorFacts& facts = m_operators.of(node);
        const bool isPlain = (facts.role == CallRole::function || facts.role == CallRole::query) && facts.known
            && !node.meta.mutated && (isRegisteredOperator(node.target.view()) || takesTensor(id));
        const Result<ChosenCall> chosen = isPlain ? exactCall(m_operators, m_graph, node, node.args, node.kwargs)
                                                  : Result<ChosenCall>(ChosenCall());
        if (!isPlain || !chosen)
            return rememberCall(id, facts);
        const OperatorSchema* const called = schema(chosen->target);
        std::optional<NormalCall> call = called != nullptr ? placed(*chosen, *called) : std::nullopt;
        if (!call)
            return rememberCall(id, facts);
        normalize(*call, *this);
        if (call->same.isValid())
            return replace(id, call->same);
        NodeSpec spec{.op = Op::callFunction, .name = node.name, .target = call->target, .type = node.type, .meta = node.meta};
        const std::size_t positional = call->schema->positionalCount();
        bool byPosition = true;
        for (std::size_t i = 0; i < call->arguments.size(); ++i) {
            byPosition = byPosition && i < positional && call->arguments[i];
            if (byPosition)
                spec.args.push_back(std::move(*call->arguments[i]));
            else if (call->arguments[i])
                spec.kwargs.push_back({call->schema->arguments[i].name, std::move(*call->arguments[i])});
        }
        if (node.op == Op::callFunction && node.target == spec.target && node.args == spec.args && node.kwargs == spec.kwargs)
            return rememberCall(id, facts);
        const InsertScope scope(m_graph, Graph::InsertPoint::before(id));
        const NodeId made = m_graph.insert(std::move(spec));
        rememberCall(made, m_operators.of(m_graph.node(made)));
        replace(id, made);
    }

    /// Puts another node, which does not read it, in the place of one.
    void replace(NodeId id, NodeId by)
    {
        m_isChanged = true;
        m_graph.replaceAllUses(id, by);
        m_replaced.emplace(id, by);
        m_names.emplace(m_graph.node(id).name, by);
        (void)m_graph.erase(id); // refuses only what has users
    }

    /// Values that the signature and calls of modules give by id or by name.
    void renameInSignature()
    {
        const auto now = [this](NodeId id) {
            const auto found = m_replaced.find(id);
            return Argument::node(found != m_replaced.end() ? found->second : id);
        };
        if (m_program.signature)
            for (OutputSpec& spec : m_program.signature->outputs) {
                spec.value = mapNodes(spec.value, now);
                if (const auto found = m_names.find(spec.name); found != m_names.end())
                    spec.name = m_graph.node(found->second).name;
            }
        for (ModuleCall& call : m_program.calls) {
            call.inputs = mapNodes(call.inputs, now);
            call.outputs = mapNodes(call.outputs, now);
        }
    }

    Program m_program;
    Graph& m_graph;
    OperatorCatalogue& m_operators;
    std::vector<std::uint64_t> m_shapes; ///< by NodeId
    std::vector<bool> m_liesForSure;     ///< by NodeId
    std::unordered_set<NodeId> m_userInputs;
    std::unordered_map<NodeId, NodeId> m_replaced;
    std::unordered_map<InternedString, NodeId> m_names; ///< of nodes that are gone
    bool m_isChanged = false;
};

} // namespace

std::optional<Program> normalForm(const Program& program, OperatorCatalogue& operators, ProgressMonitor& monitor)
{
    return NormalForm(program, operators).build(monitor);
}

} // namespace sunder
