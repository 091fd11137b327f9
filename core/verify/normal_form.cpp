#include "verify/normal_form.h"

#include "ir/value_kind.h"
#include "operators/exact_call.h"
#include "operators/literal_text.h"
#include "operators/number_functions.h"
#include "operators/operator_target.h"
#include "verify/normal_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <tuple>
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

/// The module that a node of a graph names; invalid when there is none.
ModuleId namedModule(const Program& program, ModuleId owner, InternedString target)
{
    const std::string prefix = owner.isValid() ? program.modules[owner].path.str() : std::string();
    return program.modules.resolve(prefix.empty() ? target.str() : prefix + "." + target.str());
}

/// One graph of a program while its calls are brought into normal form.
class NormalGraph final : private KnownNodes {
public:
    /// `believes`: what the file says of tensors holds as long as these.
    NormalGraph(Program& program, GraphId id, bool believes, OperatorCatalogue& operators)
        : m_program(program), m_isRoot(id == program.root), m_believes(believes), m_owner(program.owners[id.index()]),
          m_graph(program.graph(id)), m_operators(operators), m_shapes(m_graph.idBound()), m_liesForSure(m_graph.idBound())
    {
        if (m_program.signature && m_isRoot)
            for (const InputSpec& spec : m_program.signature->inputs)
                if (spec.kind == InputKind::user && spec.value.is(ArgumentKind::node))
                    m_userInputs.insert(spec.value.asNode());
    }

    /// Whether a call changed. Unfinished once `monitor` was cancelled.
    bool normalize(ProgressMonitor& monitor)
    {
        findTensorInputs();
        std::uint64_t position = 0;
        std::size_t done = 0;
        for (const NodeId id : m_graph.order()) {
            constexpr std::size_t kNodesPerQuestion = 1024;
            if (done++ % kNodesPerQuestion == 0 && monitor.isCancelled())
                return false;
            const Node& node = m_graph.node(id);
            if (node.op == Op::callFunction || node.op == Op::callMethod) {
                normalizeNode(id);
                continue;
            }
            if (m_tensorInputs.contains(id) || (node.op == Op::getAttr && tensorOfModel(node.target).isValid())
                || (node.op == Op::callModule && givesTensor(node)))
                takeForTensor(id);
            remember(id,
                     mixed(static_cast<std::uint64_t>(node.op), node.op == Op::placeholder ? position++ : hashOf(node.target)),
                     node.op == Op::getAttr || (node.op == Op::placeholder && isOfModel(id)));
        }
        dropDead();
        for (const NodeId id : m_takenForTensors)
            m_graph.meta(id).val.reset();
        if (m_isChanged && m_isRoot)
            renameInSignature();
        return m_isChanged;
    }

private:
    // KnownNodes
    [[nodiscard]] bool isTensor(const Argument& argument) const override
    {
        return argument.is(ArgumentKind::node) && tensorOf(m_graph.node(argument.asNode()).meta.val) != nullptr;
    }

    [[nodiscard]] const Node* maker(const Argument& argument) const override
    {
        if (!argument.is(ArgumentKind::node) || m_graph.node(argument.asNode()).op != Op::callFunction)
            return nullptr;
        return &m_graph.node(argument.asNode());
    }

    [[nodiscard]] const Argument* value(const Argument& argument) const override
    {
        if (!m_believes || !argument.is(ArgumentKind::node) || m_takenForTensors.contains(argument.asNode()))
            return nullptr;
        const std::optional<Argument>& val = m_graph.node(argument.asNode()).meta.val;
        return val ? &*val : nullptr;
    }

    [[nodiscard]] const TensorMeta* tensor(const Argument& argument) const override
    {
        if (const Argument* val = value(argument))
            return val->is(ArgumentKind::tensor) ? &val->asTensor() : nullptr;
        if (!m_believes || !argument.is(ArgumentKind::node) || m_graph.node(argument.asNode()).op != Op::getAttr)
            return nullptr;
        const TensorId found = tensorOfModel(m_graph.node(argument.asNode()).target);
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
        return (meta != nullptr && meta->shape.empty()) || (m_program.signature && m_isRoot && !m_userInputs.contains(id));
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
        if (node.target.view().starts_with("_operator.") ? givesTensorByOperator(node) : facts.givesTensor())
            takeForTensor(id);
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
            if (isTensor(Argument::node(input)))
                return true;
        return false;
    }

    [[nodiscard]] TensorId tensorOfModel(InternedString target) const
    {
        const std::string prefix = m_owner.isValid() ? m_program.modules[m_owner].path.str() : std::string();
        return m_program.tensorAt(prefix.empty() ? target : intern(prefix + "." + target.str()));
    }

    /// The class of the leaf module that a node calls; empty where that has a graph, or is not known.
    [[nodiscard]] std::string_view leafClass(const Node& node) const
    {
        const ModuleId found = node.op == Op::callModule ? namedModule(m_program, m_owner, node.target) : ModuleId();
        if (!found.isValid() || m_program.modules[found].graph.isValid() || m_program.modules[found].calls)
            return {};
        return m_program.modules[found].cls.view();
    }

    /// A value of which the file does not say that it is a tensor, but that can be nothing else.
    void takeForTensor(NodeId id)
    {
        if (m_graph.node(id).meta.val)
            return;
        m_graph.meta(id).val = Argument::tensor(TensorMeta{});
        m_takenForTensors.insert(id);
    }

    /// Whether a leaf module is one of PyTorch that takes one tensor and gives one.
    [[nodiscard]] bool givesTensor(const Node& node) const
    {
        static constexpr std::array<std::string_view, 14> kFiles{
            "activation", "linear",  "conv", "normalization", "batchnorm",    "pooling",      "dropout",
            "flatten",    "padding", "fold", "upsampling",    "pixelshuffle", "instancenorm", "sparse"};
        constexpr std::string_view kModules = "torch.nn.modules.";
        const std::string_view cls = leafClass(node);
        if (!cls.starts_with(kModules) || node.args.size() != 1 || !node.kwargs.empty() || cls.ends_with("MultiheadAttention"))
            return false;
        const std::string_view rest = cls.substr(kModules.size());
        return std::ranges::any_of(
            kFiles, [&](std::string_view file) { return rest.starts_with(file) && rest.substr(file.size()).starts_with('.'); });
    }

    /// Inputs that a call takes for a tensor, so that it raises with anything else.
    void findTensorInputs()
    {
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            if (node.op == Op::callModule && givesTensor(node) && node.args[0].is(ArgumentKind::node))
                m_tensorInputs.insert(node.args[0].asNode());
            if (node.op != Op::callFunction || node.target.view().starts_with("_operator."))
                continue;
            const OperatorFacts& facts = m_operators.of(node);
            for (std::size_t i = 0; facts.known && i < node.args.size(); ++i)
                if (node.args[i].is(ArgumentKind::node) && wantsTensor(facts, i))
                    m_tensorInputs.insert(node.args[i].asNode());
        }
        std::erase_if(m_tensorInputs, [this](NodeId id) { return m_graph.node(id).op != Op::placeholder; });
    }

    static bool wantsTensor(const OperatorFacts& facts, std::size_t place)
    {
        static const InternedString kTensor = intern("Tensor");
        bool any = false;
        return std::ranges::all_of(facts.overloads,
                                   [&](const OperatorOverload& overload) {
                                       if (isOfNumbers(overload))
                                           return true;
                                       any = true;
                                       return !overload.anyArguments && place < overload.schema.arguments.size()
                                           && overload.schema.arguments[place].type == kTensor;
                                   })
            && any;
    }

    /// An overload of TorchScript for numbers alone, which Python does not reach.
    static bool isOfNumbers(const OperatorOverload& overload)
    {
        return !overload.anyArguments && overload.schema.packet.view().starts_with("aten::")
            && std::ranges::none_of(overload.schema.arguments,
                                    [](const SchemaArgument& argument) { return argument.type.view().starts_with("Tensor"); })
            && std::ranges::none_of(overload.schema.results,
                                    [](const SchemaArgument& result) { return result.type.view().starts_with("Tensor"); });
    }

    /// Whether an item is the first of what a recurrent layer or attention gives.
    [[nodiscard]] bool isFirstOfModule(const Node& item) const
    {
        if (!item.args[0].is(ArgumentKind::node) || item.args[1] != Argument::integer(0))
            return false;
        const std::string_view cls = leafClass(m_graph.node(item.args[0].asNode()));
        return cls == "torch.nn.modules.rnn.LSTM" || cls == "torch.nn.modules.rnn.GRU" || cls == "torch.nn.modules.rnn.RNN"
            || cls == "torch.nn.modules.activation.MultiheadAttention";
    }

    /// Whether an operator of Python gives a tensor: of tensors and numbers, or an item of a tensor.
    [[nodiscard]] bool givesTensorByOperator(const Node& node) const
    {
        static constexpr std::array<std::string_view, 20> kNames{"add",  "sub",  "mul",  "truediv",  "floordiv", "pow",   "neg",
                                                                 "and_", "or_",  "xor",  "lt",       "le",       "gt",    "ge",
                                                                 "iadd", "isub", "imul", "itruediv", "matmul",   "invert"};
        const std::string_view name = operatorName(node.target.view()).name;
        if (name == "getitem")
            return node.args.size() == 2 && (isTensor(node.args[0]) || isFirstOfModule(node));
        const bool areOperands = std::ranges::all_of(
            node.args, [this](const Argument& argument) { return isTensor(argument) || isNumber(argument); });
        return std::ranges::find(kNames, name) != kNames.end() && areOperands
            && std::ranges::any_of(node.args, [this](const Argument& argument) { return isTensor(argument); });
    }

    /// Takes away calls that nobody reads and that succeed, do nothing else, and so need not be made.
    void dropDead()
    {
        std::vector<NodeId> order = m_graph.order();
        for (auto id = order.rbegin(); id != order.rend(); ++id)
            if (m_graph.node(*id).isCall() && m_graph.users(*id).empty() && succeeds(*id)) {
                (void)m_graph.erase(*id);
                m_takenForTensors.erase(*id);
                m_isChanged = true;
            }
    }

    [[nodiscard]] bool succeeds(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        const OperatorFacts& facts = m_operators.of(node);
        if (node.op == Op::callModule || !facts.known || node.meta.mutated)
            return false;
        if (facts.role == CallRole::getItem)
            return isKnownItem(node);
        if (facts.role != CallRole::function && facts.role != CallRole::query)
            return false;
        const CallFacts does = callFacts(facts, NodeArguments(node));
        if (!does.written.empty() || !does.reshaped.empty() || does.random)
            return false;
        const bool isOnTensor = !node.args.empty() && isTensor(node.args[0]);
        const std::string_view name = operatorName(node.target.view()).name;
        const bool isOfNumber = node.args.size() == 2 && isOnTensor && (name == "add" || name == "mul") && isNumber(node.args[1]);
        const NumberFunction* const function = node.op == Op::callFunction ? numberFunctionOf(node.target.view()) : nullptr;
        if (function != nullptr && ((function->isTotal && node.args.size() == 1 && isOnTensor) || isOfNumber))
            return true;
        if (isPossibleView(node, name))
            return true;
        const bool isDescribed = m_believes && node.meta.val && !m_takenForTensors.contains(id);
        return isDescribed && facts.schema() != nullptr && failsByForm(facts.role, does)
            && takesOnlyTensors(node, *facts.schema());
    }

    /// Whether a call moves dimensions that the tensor that it is given is known to have, or adds one.
    [[nodiscard]] bool isPossibleView(const Node& node, std::string_view name) const
    {
        const TensorMeta* const meta = node.args.empty() ? nullptr : tensor(node.args[0]);
        if (meta == nullptr || !node.kwargs.empty() || !isRegisteredOperator(node.target.view()))
            return false;
        const auto rank = static_cast<std::int64_t>(meta->shape.size());
        const auto isDim = [&](const Argument& dim, std::int64_t count) {
            return dim.is(ArgumentKind::integer) && dim.asInteger() >= -count && dim.asInteger() < count;
        };
        if (name == "t")
            return rank <= 2;
        if (name == "unsqueeze")
            return node.args.size() == 2 && isDim(node.args[1], rank + 1);
        return name == "transpose" && node.args.size() == 3 && isDim(node.args[1], rank) && isDim(node.args[2], rank);
    }

    static bool isNumber(const Argument& argument)
    {
        return argument.is(ArgumentKind::integer) || argument.is(ArgumentKind::floating);
    }

    /// Whether all nodes among the arguments of a call are described tensors that it takes for tensors.
    [[nodiscard]] bool takesOnlyTensors(const Node& node, const OperatorSchema& schema) const
    {
        if (node.args.size() > schema.arguments.size())
            return false;
        const auto isPlain = [&](const Argument& argument, std::string_view type) {
            bool plain = true;
            forEachNode(argument,
                        [&](NodeId id) { plain = plain && type.starts_with("Tensor") && tensor(Argument::node(id)) != nullptr; });
            return plain;
        };
        for (std::size_t i = 0; i < node.args.size(); ++i)
            if (!isPlain(node.args[i], schema.arguments[i].type.view()))
                return false;
        return std::ranges::all_of(node.kwargs, [&](const Keyword& keyword) {
            const std::optional<std::size_t> at = schema.find(keyword.key);
            return at && isPlain(keyword.value, schema.arguments[*at].type.view());
        });
    }

    /// How many results a call gives as a tuple.
    [[nodiscard]] std::optional<std::int64_t> resultsOf(const Argument& argument) const
    {
        const Argument* const val = value(argument);
        if (val != nullptr && (val->is(ArgumentKind::tuple) || val->is(ArgumentKind::list)))
            return static_cast<std::int64_t>(val->items().size());
        const Node* const made = val == nullptr ? maker(argument) : nullptr;
        const OperatorSchema* const called = made != nullptr && isRegisteredOperator(made->target.view()) ? schema(made->target)
                                                                                                          : nullptr;
        if (called == nullptr || called->returnsMore || called->results.size() < 2)
            return std::nullopt;
        return static_cast<std::int64_t>(called->results.size());
    }

    [[nodiscard]] bool isKnownItem(const Node& node) const
    {
        if (node.args.size() != 2 || !node.args[1].is(ArgumentKind::integer))
            return false;
        const std::optional<std::int64_t> count = resultsOf(node.args[0]);
        return count && node.args[1].asInteger() >= -*count && node.args[1].asInteger() < *count;
    }

    /// An item of a tuple, counted from the start.
    void normalizeItem(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (isKnownItem(node) && node.args[1].asInteger() < 0) {
            m_graph.rewriteConstants(id, {node.args[0], Argument::integer(node.args[1].asInteger() + *resultsOf(node.args[0]))},
                                     {});
            m_isChanged = true;
        }
        rememberCall(id, m_operators.of(m_graph.node(id)));
    }

    void normalizeNode(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const OperatorFacts& facts = m_operators.of(node);
        if (facts.role == CallRole::getItem)
            return normalizeItem(id);
        const bool isPlain = (facts.role == CallRole::function || facts.role == CallRole::query) && facts.known
            && !node.meta.mutated && (isRegisteredOperator(node.target.view()) || takesTensor(id));
        const Result<ChosenCall> chosen = isPlain ? exactCall(m_operators, m_graph, node, node.args, node.kwargs)
                                                  : Result<ChosenCall>(ChosenCall());
        if (!isPlain || !chosen) {
            if (isPlain && facts.isPython && node.op == Op::callFunction && !facts.ordersKeywords && facts.schema() != nullptr)
                return putInPlaces(id, facts);
            return rememberCall(id, facts);
        }
        const OperatorSchema* const called = schema(chosen->target);
        std::optional<NormalCall> call = called != nullptr ? placed(*chosen, *called) : std::nullopt;
        if (!call)
            return rememberCall(id, facts);
        sunder::normalize(*call, *this);
        if (call->same.isValid())
            return replace(id, call->same);
        NodeSpec spec{.op = Op::callFunction, .name = node.name, .target = call->target, .type = node.type, .meta = node.meta};
        std::tie(spec.args, spec.kwargs) = written(*call);
        if (node.op == Op::callFunction && node.target == spec.target && node.args == spec.args && node.kwargs == spec.kwargs)
            return rememberCall(id, facts);
        const InsertScope scope(m_graph, Graph::InsertPoint::before(id));
        const NodeId made = m_graph.insert(std::move(spec));
        rememberCall(made, m_operators.of(m_graph.node(made)));
        replace(id, made);
    }

    /// Of a function of Python whose parameters are known: all by position as far as that goes, with what is left out.
    void putInPlaces(NodeId id, const OperatorFacts& facts)
    {
        const Node& node = m_graph.node(id);
        std::optional<NormalCall> call = placed({.target = node.target, .args = node.args, .kwargs = node.kwargs},
                                                *facts.schema());
        if (call) {
            const auto [args, kwargs] = written(*call);
            if (node.args != args || node.kwargs != kwargs) {
                m_graph.setArguments(id, args, kwargs);
                m_isChanged = true;
            }
        }
        rememberCall(id, facts);
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

    Program& m_program;
    bool m_isRoot;
    bool m_believes;
    ModuleId m_owner; ///< the module whose attributes the graph reads; may be invalid
    Graph& m_graph;
    OperatorCatalogue& m_operators;
    std::vector<std::uint64_t> m_shapes; ///< by NodeId
    std::vector<bool> m_liesForSure;     ///< by NodeId
    std::unordered_set<NodeId> m_userInputs;
    std::unordered_set<NodeId> m_tensorInputs;
    std::unordered_set<NodeId> m_takenForTensors; ///< whose `val` says no more than that
    std::unordered_map<NodeId, NodeId> m_replaced;
    std::unordered_map<InternedString, NodeId> m_names; ///< of nodes that are gone
    bool m_isChanged = false;
};

/// The root graph and those that are reached from it by one node each, so that what the file says of their values is of that call.
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
                    named.insert(named.end(), 2, called); // of which call, the number of the call decides
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
            if (calls[named.index()] == 1 && named != program.root)
                once.push_back(named);
    return once;
}

} // namespace

std::optional<Program> normalForm(const Program& program, bool keepsShapes, OperatorCatalogue& operators,
                                  ProgressMonitor& monitor)
{
    Program normal = program;
    bool isChanged = false;
    for (const GraphId graph : graphsCalledOnce(program))
        isChanged = NormalGraph(normal, graph, keepsShapes, operators).normalize(monitor) || isChanged;
    return isChanged && !monitor.isCancelled() ? std::optional(std::move(normal)) : std::nullopt;
}

} // namespace sunder
