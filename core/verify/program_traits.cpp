#include "verify/program_traits.h"

#include "ir/value_kind.h"
#include "operators/known_call_facts.h"
#include "operators/module_facts.h"
#include "operators/operator_library.h"
#include "support/progress_monitor.h"
#include "verify/symbol_mapping.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace sunder {
namespace {

/// Whether the file states that a tensor has the shape of the result that is written to it.
bool fits(const Graph& graph, const Node& node, const Argument& out)
{
    if (!out.is(ArgumentKind::node))
        return !out.holdsNodes();
    const std::optional<Argument>& val = graph.node(out.asNode()).meta.val;
    return val && val->is(ArgumentKind::tensor) && node.meta.val && node.meta.val->is(ArgumentKind::tensor)
        && val->asTensor().shape == node.meta.val->asTensor().shape;
}

bool takesValues(const Node& node)
{
    return std::ranges::any_of(node.args, &Argument::holdsNodes)
        || std::ranges::any_of(node.kwargs, [](const Keyword& keyword) { return keyword.value.holdsNodes(); });
}

/// Whether a call may modify a list, dict, or set: Python functions and methods that write to a value that is not known to be a
/// tensor.
bool changesContainer(const Graph& graph, const Node& node, const OperatorFacts& facts, const CallFacts& does)
{
    const bool isPython = facts.isPython || node.op == Op::callMethod;
    const std::string_view name = operatorName(node.target.view()).name;
    const bool isOfTensors = name.ends_with('_') && !name.ends_with("__"); // add_, not __setitem__
    if (!isPython || does.written.empty() || isOfTensors)
        return false;
    const NodeArguments given(node);
    return std::ranges::any_of(does.written, [&](std::uint32_t slot) {
        return slot < given.slotCount() && given.argument(slot).is(ArgumentKind::node)
            && tensorOf(graph.node(given.argument(slot).asNode()).meta.val) == nullptr;
    });
}

/// Whether a call may access memory other than the elements of its tensor arguments.
bool reachesMemory(std::string_view target)
{
    static constexpr std::array<std::string_view, 9> kNames{
        "set", "resize", "resize_as", "storage", "untyped_storage", "data_ptr", "_typed_storage", "_reinterpret_tensor", "numpy"};
    std::string_view name = operatorName(target).name;
    if (name.ends_with('_'))
        name.remove_suffix(1);
    return name.find("as_strided") != std::string_view::npos || std::ranges::find(kNames, name) != kNames.end();
}

/// Whether the functions of number_functions.txt are tested with this dtype.
bool hasUsualKernels(std::string_view dtype)
{
    static constexpr std::array<std::string_view, 12> kNames{"float16",   "bfloat16",   "float32", "float64",
                                                             "complex64", "complex128", "int8",    "int16",
                                                             "int32",     "int64",      "uint8",   "bool"};
    return dtype.empty() || std::ranges::find(kNames, dtype) != kNames.end();
}

bool isUnusual(const TensorMeta& meta)
{
    return !hasUsualKernels(meta.dtype.view()) || !isStrided(meta);
}

bool isUnusual(const Argument& value)
{
    if (value.is(ArgumentKind::tensor))
        return isUnusual(value.asTensor());
    if (value.is(ArgumentKind::dtype))
        return !hasUsualKernels(value.text().view());
    if (value.is(ArgumentKind::layout))
        return value.text().view() != "strided";
    return std::ranges::any_of(value.items(), [](const Argument& item) { return isUnusual(item); });
}

/// Whether the name of a call indicates that it creates sparse, quantized, or nested tensors.
bool namesUnusual(std::string_view target)
{
    static constexpr std::array<std::string_view, 10> kParts{"sparse", "quantize", "mkldnn", "nested", "_coo",
                                                             "_csr",   "_csc",     "_bsr",   "_bsc",   "float8"};
    return std::ranges::any_of(kParts, [&](std::string_view part) { return target.find(part) != std::string_view::npos; });
}

/// Whether a call may return complex32, which it does for 16-bit operands.
bool maybeComplex32(const Node& node)
{
    static constexpr std::array<std::string_view, 4> kNames{"chalf", "complex", "polar", "view_as_complex"};
    return node.isCall() && !node.meta.val && std::ranges::find(kNames, operatorName(node.target.view()).name) != kNames.end();
}

bool isUnusual(const Node& node)
{
    const auto isOther = [](const Argument& argument) { return isUnusual(argument); };
    return (node.meta.val && isUnusual(*node.meta.val)) || std::ranges::any_of(node.args, isOther)
        || std::ranges::any_of(node.kwargs, [](const Keyword& keyword) { return isUnusual(keyword.value); })
        || (node.isCall() && namesUnusual(node.target.view())) || maybeComplex32(node);
}

/// Whether a region may autocast for devices other than the CPU. There, some unary functions are cast, but their in-place forms
/// are not.
bool castsElsewhere(const Node& node)
{
    return std::ranges::any_of(node.args, [](const Argument& argument) {
        return (argument.is(ArgumentKind::string) || argument.is(ArgumentKind::device)) && argument.text().view() != "cpu";
    });
}

bool switchesModes(const Node& node, CallRole role)
{
    const bool isSwitch = role == CallRole::enter || role == CallRole::leave || role == CallRole::setState
        || role == CallRole::gradRegion;
    const bool isAutocast = node.target.view().find("autocast") != std::string_view::npos;
    return (isSwitch && !isAutocast) || (isAutocast && castsElsewhere(node));
}

/// Whether a value is a list, tuple, or dict of values.
bool holdsValues(const Graph& graph, const Argument& argument)
{
    if (!argument.is(ArgumentKind::node))
        return argument.isCompound() && argument.holdsNodes();
    static constexpr std::array<std::string_view, 3> kMakers{"list", "tuple", "dict"};
    const Node& node = graph.node(argument.asNode());
    return node.op == Op::callFunction && std::ranges::find(kMakers, operatorName(node.target.view()).name) != kMakers.end();
}

/// Whether a call compares values, or keys of dicts, by object identity.
bool findsObjects(const Graph& graph, const Node& node)
{
    static constexpr std::array<std::string_view, 16> kFinders{
        "contains", "__contains__", "countOf", "indexOf", "fromkeys", "is_set_to", "is_same",      "is_",
        "is_not",   "setattr",      "id",      "hash",    "set",      "frozenset", "swap_tensors", "__setattr__"};
    static constexpr std::array<std::string_view, 3> kOfLists{"count", "index", "remove"};
    static constexpr std::array<std::string_view, 6> kKeyed{"__setitem__", "get", "pop", "setdefault", "setitem", "delitem"};
    static constexpr std::array<std::string_view, 8> kCompare{"eq", "ne", "__eq__", "__ne__", "lt", "le", "gt", "ge"};
    const std::string_view name = operatorName(node.target.view()).name;
    const auto isIn = [&](std::span<const std::string_view> names) { return std::ranges::find(names, name) != names.end(); };
    const auto isNode = [&](std::size_t i) { return i < node.args.size() && node.args[i].is(ArgumentKind::node); };
    if (isRegisteredOperator(node.target.view()))
        return name == "is_set_to";
    if (isIn(kFinders) || (node.op == Op::callMethod && isIn(kOfLists)))
        return true;
    if (name == "dict")
        return !node.args.empty() && node.args[0].holdsNodes() && !node.args[0].is(ArgumentKind::dict);
    if (isIn(kKeyed))
        return isNode(0) && isNode(1) && holdsValues(graph, node.args[0]);
    return isIn(kCompare)
        && std::ranges::any_of(node.args, [&](const Argument& argument) { return holdsValues(graph, argument); });
}

/// Whether a call changes a tensor but not its views. `detach_` has no effect on a copy of a constant.
bool changesObject(const Graph& graph, const Node& node, const OperatorFacts& facts, const CallFacts& does)
{
    const bool isOfConstant = facts.detaches && !node.args.empty() && node.args[0].is(ArgumentKind::node)
        && operatorName(graph.node(node.args[0].asNode()).target.view()).name == "lift_fresh_copy";
    const NodeArguments given(node);
    return (!does.reshaped.empty() && !isOfConstant)
        || std::ranges::any_of(does.resized, [&](std::uint32_t slot) { return !fits(graph, node, given.argument(slot)); });
}

/// Whether descriptions of a graph's values end at some call, as in a file whose program failed while it was run to describe it,
/// or whether an assertion is False.
bool endsEarly(const Graph& graph, OperatorCatalog& operators)
{
    bool anyDescribed = false;
    bool isOpen = false;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!node.isCall())
            continue;
        if (node.meta.val) {
            anyDescribed = true;
            isOpen = false;
            continue;
        }
        if (node.op == Op::callModule)
            continue;
        const CallRole role = operators.of(node).role;
        if (role == CallRole::assertion && !node.args.empty() && node.args[0] == Argument::boolean(false))
            return true;
        const bool isOnTensor = std::ranges::any_of(node.args, [&](const Argument& argument) {
            return argument.is(ArgumentKind::node) && tensorOf(graph.node(argument.asNode()).meta.val) != nullptr;
        });
        isOpen = isOpen || (role == CallRole::function && (node.target.view().starts_with("torch.") || isOnTensor));
    }
    return anyDescribed && isOpen;
}

void addCall(const Graph& graph, const Node& node, OperatorCatalog& operators, KnownCallFacts& known, ProgramTraits& traits)
{
    const OperatorFacts& facts = operators.of(node);
    traits.switchesModes = traits.switchesModes || switchesModes(node, facts.role);
    traits.unusualTensors = traits.unusualTensors || (!facts.known && !node.meta.val);
    traits.writes = traits.writes || node.meta.mutated;
    traits.reachesMemory = traits.reachesMemory || !facts.known || reachesMemory(node.target.view());
    const NodeArguments given(node);
    const CallFacts& does = known.of(facts, given);
    traits.findsObjects = traits.findsObjects || findsObjects(graph, node);
    traits.changesObjects = traits.changesObjects || changesObject(graph, node, facts, does);
    traits.layouts = traits.layouts || (dependsOnLayout(facts.role, does) && takesValues(node));
    if (facts.kinds != 0 || !facts.known) {
        traits.writes = traits.writes || !does.written.empty();
        traits.changesContainers = traits.changesContainers || changesContainer(graph, node, facts, does);
        traits.reshapes = traits.reshapes || (!does.reshaped.empty() && !facts.detaches)
            || std::ranges::any_of(does.resized, [&](std::uint32_t slot) { return !fits(graph, node, given.argument(slot)); });
        traits.random = traits.random || does.random;
    }
    if (facts.role != CallRole::withEffects || node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return;
    const InternedString called = node.args[1].text();
    traits.effects.insert(called);
    traits.layouts = true;
}

void addModule(const Node& node, ModuleId module, ModuleFacts& leaves, ProgramTraits& traits)
{
    const ModuleCallFacts does = leaves.of(module, NodeArguments(node));
    traits.layouts = traits.layouts || dependsOnLayout(CallRole::function, does.call);
    traits.reachesMemory = traits.reachesMemory || !does.known;
    traits.unusualTensors = traits.unusualTensors || (!does.known && !node.meta.val);
    traits.writes = traits.writes || !does.call.written.empty() || does.writesBuffers || does.writesParameters;
    traits.reshapes = traits.reshapes || !does.call.reshaped.empty();
    traits.random = traits.random || does.call.random;
}

/// Whether the signature writes back to memory shared by several tensors, so that the content of one depends on the others.
bool mutatesSharedMemory(const Program& program)
{
    if (!program.signature)
        return false;
    const bool isKnown = hasKnownStorages(program.tensors);
    std::vector<std::uint32_t> tensorsIn(program.tensors.storageCount(), 0);
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
        if (const StorageId storage = program.tensors[TensorId(i)].storage; storage.isValid())
            ++tensorsIn[storage.index()];
    return std::ranges::any_of(program.signature->outputs, [&](const OutputSpec& output) {
        if (output.kind != OutputKind::bufferMutation && output.kind != OutputKind::parameterMutation)
            return false;
        const TensorId target = program.tensors.find(output.target);
        const StorageId storage = target.isValid() ? program.tensors[target].storage : StorageId();
        return !isKnown || (storage.isValid() && tensorsIn[storage.index()] > 1);
    });
}

} // namespace

Result<ProgramTraits> traitsOf(const Program& a, const Program& b, OperatorCatalog& operators, ProgressMonitor& monitor)
{
    ProgramTraits traits;
    StepMonitor steps(monitor);
    KnownCallFacts known;
    for (const Program* program : {&a, &b}) {
        traits.writes = traits.writes || mutatesSharedMemory(*program);
        for (std::size_t i = 0; i < program->tensors.size(); ++i)
            traits.unusualTensors = traits.unusualTensors || isUnusual(program->tensors[TensorId(i)].meta);
        for (const Graph& graph : program->graphs) {
            for (const NodeId id : graph.nodes()) {
                SUNDER_PROPAGATE(steps.step());
                const Node& node = graph.node(id);
                traits.unusualTensors = traits.unusualTensors || isUnusual(node);
                if (node.op == Op::callFunction || node.op == Op::callMethod)
                    addCall(graph, node, operators, known, traits);
            }
        }
        ModuleFacts leaves(*program);
        const std::vector<ModuleId> readers = readersOfGraphs(*program);
        for (std::size_t i = 0; i < program->graphs.size(); ++i) {
            const Graph& graph = program->graphs[i];
            const ModuleId owner = readers[i].isValid() ? readers[i] : ModuleTree::root();
            for (const NodeId id : graph.nodes()) {
                if (graph.node(id).op != Op::callModule)
                    continue;
                const ModuleId module = program->modules.resolve(
                    joinPath(program->modules[owner].path.view(), graph.node(id).target.view()));
                if (module.isValid() && !program->modules[module].graph.isValid() && !program->modules[module].calls)
                    addModule(graph.node(id), module, leaves, traits);
            }
        }
    }
    // The calls that fail may be in a module of one program and in the root graph of the other.
    const auto mayFail = [&](const Program& program) {
        return std::ranges::any_of(program.graphs, [&](const Graph& graph) { return endsEarly(graph, operators); });
    };
    traits.mayAlwaysFail = mayFail(a) && mayFail(b);
    // The effect of a write depends on memory layouts, and random numbers are drawn in memory order.
    traits.layouts = traits.layouts || traits.writes || traits.reshapes || traits.random;
    return traits;
}

} // namespace sunder
