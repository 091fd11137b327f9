#include "verify/known_graph.h"

#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/number_functions.h"
#include "operators/operator_library.h"
#include "verify/normal_rules.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sunder {
namespace {

/// Whether this is a TorchScript overload for numbers only, which is not callable from Python.
bool isOfNumbers(const OperatorOverload& overload)
{
    return !overload.anyArguments && overload.schema.packet.view().starts_with("aten::")
        && std::ranges::none_of(overload.schema.arguments,
                                [](const SchemaArgument& argument) { return argument.type.view().starts_with("Tensor"); })
        && std::ranges::none_of(overload.schema.results,
                                [](const SchemaArgument& result) { return result.type.view().starts_with("Tensor"); });
}

bool expectsTensor(const OperatorFacts& facts, std::size_t place)
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

bool isNumber(const Argument& argument)
{
    return argument.is(ArgumentKind::integer) || argument.is(ArgumentKind::floating);
}

/// Whether a call has no keyword arguments except for a factor of one.
bool hasNoFactor(const Node& node)
{
    return std::ranges::all_of(node.kwargs, [](const Keyword& keyword) {
        return keyword.key.view() == "alpha"
            && (keyword.value == Argument::integer(1) || keyword.value == Argument::floating(1.0));
    });
}

} // namespace

ModuleId namedModule(const Program& program, ModuleId owner, InternedString target)
{
    return program.modules.resolve(joinPath(owner.isValid() ? program.modules[owner].path.view() : "", target.view()));
}

KnownGraph::KnownGraph(Program& program, GraphId id, bool believes, OperatorCatalog& operators)
    : m_program(program), m_isRoot(id == program.root), m_believes(believes), m_owner(program.owners[id.index()]),
      m_graph(program.graph(id)), m_operators(operators), m_shapes(m_graph.idBound()), m_hasFixedStrides(m_graph.idBound())
{
    if (m_program.signature && m_isRoot)
        for (const InputSpec& spec : m_program.signature->inputs)
            if (spec.kind == InputKind::user && spec.value.is(ArgumentKind::node))
                m_userInputs.insert(spec.value.asNode());
    findTensorInputs();
}

void KnownGraph::remember(NodeId id)
{
    const Node& node = m_graph.node(id);
    if (node.op == Op::callFunction || node.op == Op::callMethod)
        return rememberCall(id, m_operators.of(node));
    if (m_tensorInputs.contains(id) || (node.op == Op::getAttr && tensorOfModel(node.target).isValid())
        || (node.op == Op::callModule && returnsTensor(node)))
        takeForTensor(id);
    const std::uint64_t which = node.op == Op::placeholder ? m_placeholders++ : m_hash.of(node.target);
    put(id, mixHash(static_cast<std::uint64_t>(node.op), which),
        node.op == Op::getAttr || (node.op == Op::placeholder && isOfModel(id)));
}

void KnownGraph::forget()
{
    for (const NodeId id : m_takenForTensors)
        m_graph.meta(id).val.reset();
    for (const NodeId id : m_describedHere)
        m_graph.meta(id).val.reset();
    m_takenForTensors.clear();
    m_describedHere.clear();
}

bool KnownGraph::isTensor(const Argument& argument) const
{
    return argument.is(ArgumentKind::node) && tensorOf(m_graph.node(argument.asNode()).meta.val) != nullptr;
}

const Node* KnownGraph::maker(const Argument& argument) const
{
    if (!argument.is(ArgumentKind::node) || m_graph.node(argument.asNode()).op != Op::callFunction)
        return nullptr;
    return &m_graph.node(argument.asNode());
}

const Argument* KnownGraph::value(const Argument& argument) const
{
    if (!m_believes || !argument.is(ArgumentKind::node) || m_takenForTensors.contains(argument.asNode()))
        return nullptr;
    const std::optional<Argument>& val = m_graph.node(argument.asNode()).meta.val;
    return val ? &*val : nullptr;
}

const TensorMeta* KnownGraph::tensor(const Argument& argument) const
{
    if (const Argument* val = value(argument))
        return val->is(ArgumentKind::tensor) ? &val->asTensor() : nullptr;
    if (!m_believes || !argument.is(ArgumentKind::node) || m_graph.node(argument.asNode()).op != Op::getAttr)
        return nullptr;
    const TensorId found = tensorOfModel(m_graph.node(argument.asNode()).target);
    return found.isValid() ? &m_program.tensors[found].meta : nullptr;
}

bool KnownGraph::hasFixedStrides(const Argument& argument) const
{
    return argument.is(ArgumentKind::node) && m_hasFixedStrides[argument.asNode().index()];
}

bool KnownGraph::returnsNewMemory(const Node& node) const
{
    const OperatorFacts& facts = m_operators.of(node);
    if (node.op != Op::callFunction || !facts.known || facts.isPython || facts.role != CallRole::function || node.meta.mutated)
        return false;
    const CallFacts does = callFacts(facts, NodeArguments(node));
    return does.result == ResultMemory::fresh && does.written.empty();
}

bool KnownGraph::isPrivate(const Argument& argument, NodeId call) const
{
    if (!argument.is(ArgumentKind::node) || !returnsNewMemory(m_graph.node(argument.asNode())))
        return false;
    for (const NodeId user : m_graph.users(argument.asNode()))
        if (user != call) // earlier users may save it for a backward pass
            return false;
    return true;
}

void KnownGraph::followShape(NodeId id)
{
    const Node& node = m_graph.node(id);
    m_shapedLike.resize(std::max(m_shapedLike.size(), m_graph.idBound()));
    const std::string_view name = operatorName(node.target.view()).name;
    const NumberFunction* const function = numberFunctionOf(node.target.view());
    const bool isUnary = function != nullptr && function->operands == 1 && node.args.size() == 1;
    const bool isBinary = (name == "add" || name == "mul")
        && ((node.args.size() == 2 && isNumber(node.args[1])) || isOfEqualTensors(node, name));
    if (node.op != Op::callFunction || !isRegisteredOperator(node.target.view()) || node.args.empty() || !isTensor(node.args[0])
        || !fitsOverload(node) || !hasNoFactor(node) || (!isUnary && !isBinary))
        return;
    m_shapedLike[id.index()] = shapedLike(node.args[0].asNode());
    const TensorMeta* const of = tensor(node.args[0]);
    if (!m_believes || node.meta.val || of == nullptr || !isFloating(*of))
        return;
    m_graph.meta(id).val = Argument::tensor(TensorMeta{.dtype = of->dtype, .shape = of->shape});
    m_describedHere.push_back(id);
}

NodeId KnownGraph::shapedLike(NodeId id) const
{
    const NodeId other = id.index() < m_shapedLike.size() ? m_shapedLike[id.index()] : NodeId();
    return other.isValid() ? other : id;
}

bool KnownGraph::fitsOverload(const Node& node) const
{
    const OperatorSchema* const called = schema(node.target);
    const std::optional<NormalCall> call = called != nullptr ? placed(node.target, node.args, node.kwargs, *called, *this)
                                                             : std::nullopt;
    return call && !passesNumberForSizes(*call);
}

bool KnownGraph::isOfEqualTensors(const Node& node, std::string_view name) const
{
    if (node.args.size() != 2 || !hasNoFactor(node) || (name != "add" && name != "mul"))
        return false;
    if (!isTensor(node.args[0]) || !isTensor(node.args[1]))
        return false;
    if (shapedLike(node.args[0].asNode()) == shapedLike(node.args[1].asNode()))
        return true;
    const TensorMeta* const a = tensor(node.args[0]);
    const TensorMeta* const b = tensor(node.args[1]);
    return a != nullptr && b != nullptr && isFloating(*a) && a->dtype == b->dtype && a->shape == b->shape;
}

bool KnownGraph::holds(const Node& assertion) const
{
    const TensorMeta* const meta = assertion.args.empty() ? nullptr : tensor(assertion.args[0]);
    return meta != nullptr && statesDescription(assertion, *meta);
}

std::uint64_t KnownGraph::shapeOf(const Argument& argument) const
{
    return m_hash.of(argument, ArgumentKind::node, [this](const Argument& node) { return m_shapes[node.asNode().index()]; });
}

const OperatorSchema* KnownGraph::schema(InternedString target) const
{
    return m_operators.of(Op::callFunction, target).schema();
}

bool KnownGraph::isOfModel(NodeId id) const
{
    const TensorMeta* const meta = tensorOf(m_graph.node(id).meta.val);
    return (meta != nullptr && meta->shape.empty()) || (m_program.signature && m_isRoot && !m_userInputs.contains(id));
}

void KnownGraph::put(NodeId id, std::uint64_t shape, bool hasFixedStrides)
{
    if (id.index() >= m_shapes.size()) {
        m_shapes.resize(m_graph.idBound());
        m_hasFixedStrides.resize(m_graph.idBound());
    }
    m_shapes[id.index()] = shape;
    m_hasFixedStrides[id.index()] = hasFixedStrides;
}

void KnownGraph::rememberCall(NodeId id, const OperatorFacts& facts)
{
    const Node& node = m_graph.node(id);
    const std::uint64_t shape = m_hash.ofCall(node, [this](NodeId input) { return m_shapes[input.index()]; });
    bool lies = facts.known && !facts.isPython;
    for (const NodeId input : m_graph.inputs(id))
        lies = lies && m_hasFixedStrides[input.index()];
    followShape(id);
    const bool converts = node.op == Op::callMethod && !node.args.empty() && isTensor(node.args[0])
        && callFacts(facts, NodeArguments(node)).converts;
    if (converts || (node.target.view().starts_with("_operator.") ? returnsTensorByOperator(node) : facts.returnsTensor()))
        takeForTensor(id);
    lies = lies || (facts.schema() != nullptr && laysDensely(facts.schema()->packet.view()));
    put(id, shape, lies);
}

bool KnownGraph::takesTensor(NodeId id) const
{
    for (const NodeId input : m_graph.inputs(id))
        if (isTensor(Argument::node(input)))
            return true;
    return false;
}

TensorId KnownGraph::tensorOfModel(InternedString target) const
{
    return m_program.tensorAt(intern(joinPath(m_owner.isValid() ? m_program.modules[m_owner].path.view() : "", target.view())));
}

std::string_view KnownGraph::leafClass(const Node& node) const
{
    const ModuleId found = node.op == Op::callModule ? namedModule(m_program, m_owner, node.target) : ModuleId();
    if (!found.isValid() || m_program.modules[found].graph.isValid() || m_program.modules[found].calls)
        return {};
    return m_program.modules[found].cls.view();
}

void KnownGraph::takeForTensor(NodeId id)
{
    if (m_graph.node(id).meta.val)
        return;
    m_graph.meta(id).val = Argument::tensor(TensorMeta{});
    m_takenForTensors.insert(id);
}

bool KnownGraph::returnsTensor(const Node& node) const
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

void KnownGraph::findTensorInputs()
{
    for (const NodeId id : m_graph.nodes()) {
        const Node& node = m_graph.node(id);
        if (node.op == Op::callModule && returnsTensor(node) && node.args[0].is(ArgumentKind::node))
            m_tensorInputs.insert(node.args[0].asNode());
        if (node.op != Op::callFunction || node.target.view().starts_with("_operator."))
            continue;
        const OperatorFacts& facts = m_operators.of(node);
        for (std::size_t i = 0; facts.known && i < node.args.size(); ++i)
            if (node.args[i].is(ArgumentKind::node) && expectsTensor(facts, i))
                m_tensorInputs.insert(node.args[i].asNode());
    }
    std::erase_if(m_tensorInputs, [this](NodeId id) { return m_graph.node(id).op != Op::placeholder; });
}

bool KnownGraph::isFirstOfModule(const Node& item) const
{
    if (!item.args[0].is(ArgumentKind::node) || item.args[1] != Argument::integer(0))
        return false;
    const std::string_view cls = leafClass(m_graph.node(item.args[0].asNode()));
    return cls == "torch.nn.modules.rnn.LSTM" || cls == "torch.nn.modules.rnn.GRU" || cls == "torch.nn.modules.rnn.RNN"
        || cls == "torch.nn.modules.activation.MultiheadAttention";
}

bool KnownGraph::returnsTensorByOperator(const Node& node) const
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

bool KnownGraph::succeeds(NodeId id) const
{
    const Node& node = m_graph.node(id);
    const OperatorFacts& facts = m_operators.of(node);
    if (node.op == Op::callModule || !facts.known || node.meta.mutated)
        return false;
    if (node.op == Op::callFunction && isRegisteredOperator(node.target.view()) && !fitsOverload(node))
        return false;
    if (facts.role == CallRole::getItem)
        return isKnownItem(node);
    if (facts.role == CallRole::assertion)
        return holds(node);
    if (facts.role != CallRole::function && facts.role != CallRole::query)
        return false;
    const CallFacts does = callFacts(facts, NodeArguments(node));
    if (!does.written.empty() || !does.reshaped.empty() || does.random)
        return false;
    const bool isOnTensor = !node.args.empty() && isTensor(node.args[0]);
    const std::string_view name = operatorName(node.target.view()).name;
    const bool isOfNumber = node.args.size() == 2 && isOnTensor && (name == "add" || name == "mul") && isNumber(node.args[1]);
    if (isOfEqualTensors(node, name) && isRegisteredOperator(node.target.view()))
        return true;
    const NumberFunction* const function = node.op == Op::callFunction ? numberFunctionOf(node.target.view()) : nullptr;
    if (function != nullptr && ((function->isTotal && node.args.size() == 1 && isOnTensor) || isOfNumber))
        return true;
    if (isPossibleView(node, name))
        return true;
    const bool isDescribed = m_believes && node.meta.val && !m_takenForTensors.contains(id);
    return isDescribed && facts.schema() != nullptr && failsByForm(facts.role, does) && takesOnlyTensors(node, *facts.schema())
        && (!failsByStrides(name) || hasFixedStrides(node.args[0]));
}

bool KnownGraph::isPossibleView(const Node& node, std::string_view name) const
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

bool KnownGraph::takesOnlyTensors(const Node& node, const OperatorSchema& schema) const
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

std::optional<std::int64_t> KnownGraph::resultsOf(const Argument& argument) const
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

bool KnownGraph::isKnownItem(const Node& node) const
{
    if (node.args.size() != 2 || !node.args[1].is(ArgumentKind::integer))
        return false;
    const std::optional<std::int64_t> count = resultsOf(node.args[0]);
    return count && node.args[1].asInteger() >= -*count && node.args[1].asInteger() < *count;
}

} // namespace sunder
