#include "passes/deduplicate/call_effects.h"

#include "analysis/operator_names.h"
#include "ir/value_kind.h"
#include "verify/leaf_module_facts.h"

#include <algorithm>

namespace sunder {
namespace {

const Argument* argumentOf(const Node& node, std::size_t position, std::string_view keyword)
{
    if (position < node.args.size())
        return &node.args[position];
    for (const Keyword& given : node.kwargs)
        if (given.key.view() == keyword)
            return &given.value;
    return nullptr;
}

bool isConstant(const Argument* argument, bool value)
{
    return argument != nullptr && argument->is(ArgumentKind::boolean) && argument->asBoolean() == value;
}

bool isRandom(const Node& node, const OperatorFacts& facts)
{
    switch (facts.random) {
    case RandomRule::never: return false;
    case RandomRule::training: return !isConstant(argumentOf(node, facts.flag, "training"), false)
                                      && !isConstant(argumentOf(node, facts.flag, "train"), false);
    case RandomRule::dropoutP: {
        const Argument* p = argumentOf(node, facts.flag, "dropout_p");
        return p != nullptr && !(p->is(ArgumentKind::floating) && p->asFloating() == 0.0)
            && !(p->is(ArgumentKind::integer) && p->asInteger() == 0);
    }
    default: return true;
    }
}

void addNodes(const Argument& argument, std::vector<NodeId>& nodes)
{
    forEachNode(argument, [&](NodeId id) { nodes.push_back(id); });
}

void addAllNodes(const Node& node, std::vector<NodeId>& nodes)
{
    forEachNode(node.args, node.kwargs, [&](NodeId id) { nodes.push_back(id); });
}

/// Whether a tensor of `value`, at any depth, lies in the storage of one of `other`; both as files describe them.
bool shareStorage(const Argument& value, const Argument& other)
{
    bool shared = false;
    forEachStorage(value, [&](InternedString mine) {
        forEachStorage(other, [&](InternedString theirs) { shared = shared || mine == theirs; });
    });
    return shared;
}

} // namespace

EffectFinder::EffectFinder(const Program& program) : m_program(program)
{
    CallEffects all;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        if (GraphId(i) == program.root)
            continue;
        for (const NodeId id : program.graphs[i].nodes()) {
            const CallEffects effects = of(program.graphs[i], program.graphs[i].node(id));
            all.written.insert(all.written.end(), effects.written.begin(), effects.written.end());
            all.writesBuffers = all.writesBuffers || effects.writesBuffers;
            all.random = all.random || effects.random;
            all.ordered = all.ordered || effects.ordered;
            all.setsState = all.setsState || effects.setsState;
        }
    }
    m_nested = std::move(all);
}

void EffectFinder::addFacts(const Node& node, const OperatorFacts& facts, CallEffects& effects) const
{
    const auto writeTo = [&](std::size_t position) {
        if (position < node.args.size())
            addNodes(node.args[position], effects.written);
    };
    const auto writeToMask = [&] {
        for (std::size_t i = 0; i < 32; ++i)
            if ((facts.written >> i & 1U) != 0)
                writeTo(i);
        for (const Keyword& keyword : node.kwargs) // which of them are written is not worked out
            addNodes(keyword.value, effects.written);
    };
    const Argument* flag = argumentOf(node, facts.flag, "max_norm");
    switch (facts.write) {
    case WriteRule::none: break;
    case WriteRule::first: writeTo(0); break;
    case WriteRule::all: addAllNodes(node, effects.written); break;
    case WriteRule::mask: writeToMask(); break;
    case WriteRule::maskTraining:
        if (!isConstant(argumentOf(node, facts.flag, "training"), false))
            writeToMask();
        break;
    case WriteRule::maxNorm:
        if (flag != nullptr && !flag->isNone())
            writeToMask();
        break;
    }
    if (facts.inPlaceFlag >= 0 && isConstant(argumentOf(node, static_cast<std::size_t>(facts.inPlaceFlag), "inplace"), true))
        writeTo(0);
    for (const Keyword& keyword : node.kwargs)
        if (isOutArgument(keyword.key.view()) && facts.role == CallRole::function)
            addNodes(keyword.value, effects.written);
    effects.random = isRandom(node, facts);
}

void EffectFinder::addModule(const Graph& graph, const Node& node, CallEffects& effects)
{
    const ModuleId called = m_program.modules.resolve(node.target.view());
    if (!called || m_program.modules[called].graph || m_program.modules[called].calls) {
        addNested(node, effects);
        return;
    }
    const LeafModuleFacts facts = leafModuleFacts(m_program.modules[called].cls.view());
    effects.writesBuffers = facts.writesBuffers;
    effects.random = facts.random;
    effects.ordered = facts.guards;
    if (facts.neverInPlace || !node.meta.val)
        return;
    forEachNode(node.args, node.kwargs, [&](NodeId input) {
        if (const auto& val = graph.node(input).meta.val; val && shareStorage(*val, *node.meta.val))
            effects.written.push_back(input);
    });
}

void EffectFinder::addNested(const Node& node, CallEffects& effects) const
{
    effects.random = effects.random || m_nested.random;
    effects.ordered = effects.ordered || m_nested.ordered;
    effects.setsState = effects.setsState || m_nested.setsState;
    effects.writesBuffers = effects.writesBuffers || m_nested.writesBuffers;
    if (!m_nested.written.empty()) {
        effects.writesHeld = true;
        addAllNodes(node, effects.written);
    }
}

CallEffects EffectFinder::of(const Graph& graph, const Node& node)
{
    CallEffects effects;
    if (!node.isCall())
        return effects;
    if (node.op == Op::callModule) {
        addModule(graph, node, effects);
    } else {
        const OperatorFacts& facts = m_catalogue.of(node.op, node.target);
        if (!node.meta.mutated)
            addFacts(node, facts, effects);
        else
            effects.random = isRandom(node, facts);
        switch (facts.role) {
        case CallRole::assertion:
        case CallRole::effect: effects.ordered = true; break;
        case CallRole::enter:
        case CallRole::leave:
        case CallRole::setState:
        case CallRole::stir: effects.setsState = true; break;
        case CallRole::invoke:
        case CallRole::gradRegion:
        case CallRole::autocastRegion:
        case CallRole::closures:
        case CallRole::withEffects: addNested(node, effects); break;
        default: break;
        }
    }
    if (node.meta.mutated) {
        std::vector<NodeId> reads;
        addAllNodes(node, reads);
        for (const std::int32_t position : *node.meta.mutated)
            if (position >= 0 && static_cast<std::size_t>(position) < reads.size())
                effects.written.push_back(reads[static_cast<std::size_t>(position)]);
    }
    return effects;
}

} // namespace sunder
