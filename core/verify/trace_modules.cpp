// Calls in a trace of leaf modules, and of operators that with_effects calls.
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "verify/trace_builder.h"

#include <algorithm>
#include <iterator>

namespace sunder {

ValueId TraceBuilder::leafModule(Frame& frame, NodeId id, ModuleId module, const Call& call)
{
    const Module& called = m_program.modules[module];
    const Node& node = m_program.graph(frame.graph).node(id);
    const LeafModuleFacts facts = leafModuleFacts(called.cls.view());
    if (facts.identity && !call.positional.empty())
        return call.positional[0];
    m_terms.learn(called.cls);
    const TermId target = m_terms.make({.kind = TermKind::module, .head = called.cls.id()},
                                       {m_terms.text(m_context.correspondence.modulePath(m_side, module))});
    Call whole = call;
    std::vector<ValueId> written;
    const std::string_view prefix = called.path.view();
    for (const TensorId id_ : m_context.correspondence.tensorsBelow(m_side, module)) {
        const ValueId value = tensor(id_);
        const std::string_view fqn = m_program.tensors[id_].fqn.view();
        whole.keywords.emplace_back(intern(fqn.substr(prefix.size())), value); // ".weight": no keyword has a dot
        if (facts.writesBuffers && m_program.tensors[m_program.tensors.object(id_)].role == TensorRole::buffer)
            written.push_back(value);
    }
    std::ranges::sort(whole.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });

    const ValueId result = leaf({});
    const std::uint32_t index = pushStep(frame, id, target, whole, result);
    m_trace.steps[index].role = facts.guards ? CallRole::assertion : CallRole::function;
    m_trace.steps[index].reading = facts.guards ? Reading::locations : Reading::contents;
    m_trace.steps[index].random = facts.random;
    if (m_context.followMemory)
        leafModuleMemory(frame, node, facts, call, result, written);
    m_trace.steps[index].written = pool(written);
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, Alignment::merge);
    return result;
}

void TraceBuilder::leafModuleMemory(Frame& frame, const Node& node, const LeafModuleFacts& facts, const Call& call,
                                    ValueId result, std::vector<ValueId>& written)
{
    // A result that the file puts into the memory of an argument was computed in place.
    if (const InternedString storage = storageOf(node.meta.val); !storage.empty() && !facts.neverInPlace && !call.positional.empty()) {
        const auto place = frame.storages.find(storage);
        const auto liesThere = [&](ValueId value) {
            return place->second == kSeveral || m_trace.regions.find(place->second) == m_trace.regions.find(at(value).region);
        };
        std::vector<ValueId> leaves;
        collectLeaves(call.positional[0], leaves);
        if (place != frame.storages.end())
            std::ranges::copy_if(leaves, std::back_inserter(written), liesThere);
    }
    OperatorFacts how;
    how.aliasing = facts.guards ? Aliasing::fresh : facts.aliasing;
    mergeResult(how, call, result);
    for (const ValueId value : written)
        m_trace.regions.markWritten(at(value).region);
}

ValueId TraceBuilder::withEffects(Frame& frame, NodeId id, const Call& call)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    if (node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return unknown({frame.graph, id}, "the operator that it calls is not known");
    const InternedString name = node.args[1].text();
    Call inner;
    inner.positional.assign(call.positional.begin() + 2, call.positional.end());
    inner.keywords = call.keywords;
    const OperatorFacts& facts = m_context.operators.of(Op::callFunction, name);
    const ValueId result = leaf({});
    std::vector<ValueId> written;
    if (facts.write != WriteRule::none)
        for (const ValueId value : inner.positional)
            collectLeaves(value, written);
    const std::uint32_t index = pushStep(frame, id, functionTarget(name, Op::callFunction), inner, result);
    m_trace.steps[index].role = CallRole::effect;
    m_trace.steps[index].random = facts.random != RandomRule::never;
    m_trace.steps[index].written = pool(written);
    OperatorFacts how = facts;
    how.aliasing = Aliasing::maybeAny;
    mergeResult(how, inner, result);
    if (m_context.followMemory)
        for (const ValueId value : written)
            m_trace.regions.markWritten(at(value).region);
    return effectResults(frame, id, call.positional[0], result);
}

ValueId TraceBuilder::effectResults(Frame& frame, NodeId id, ValueId token, ValueId result)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const TermId getItem = functionTarget(getitemTarget(), Op::callFunction);
    const std::size_t count = node.meta.val ? node.meta.val->items().size() : 2;
    std::vector<ValueId> items{token};
    if (count == 2)
        items.push_back(result);
    for (std::size_t i = 0; count > 2 && i + 1 < count; ++i) {
        const Call item{{result, constant(m_terms.integer(static_cast<std::int64_t>(i)))}, {}};
        const std::uint32_t step = pushStep(frame, id, getItem, item, leaf({}));
        m_trace.steps[step].role = CallRole::getItem;
        m_trace.steps[step].reading = Reading::firstByLocation;
        if (m_context.followMemory)
            m_trace.regions.merge(at(result).region, at(m_trace.steps[step].result).region);
        items.push_back(m_trace.steps[step].result);
    }
    return container(shapeOf(ArgumentKind::tuple, {}), items);
}

} // namespace sunder
