// Calls in a trace that are not calls of graphs: what they read, write and return.
#include "verify/leaf_module_facts.h"
#include "analysis/operator_names.h"
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {

TraceBuilder::Call TraceBuilder::callOf(Frame& frame, const Node& node, bool sortKeywords)
{
    Call call;
    call.positional.reserve(node.args.size());
    for (const Argument& argument : node.args)
        call.positional.push_back(valueOf(frame, argument));
    for (const Keyword& keyword : node.kwargs)
        call.keywords.emplace_back(keyword.key, valueOf(frame, keyword.value));
    if (sortKeywords && call.keywords.size() > 1)
        std::ranges::sort(call.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });
    return call;
}

bool TraceBuilder::isFalse(ValueId id) const
{
    if (!id.isValid() || at(id).kind != ValueKind::constant)
        return false;
    const Term& term = termOf(at(id));
    return term.kind == TermKind::constant && term.detail == static_cast<std::uint8_t>(ArgumentKind::boolean) && term.bits == 0;
}

bool TraceBuilder::isZero(ValueId id) const
{
    if (!id.isValid() || at(id).kind != ValueKind::constant)
        return false;
    const Term& term = termOf(at(id));
    const auto kind = static_cast<ArgumentKind>(term.detail);
    return term.kind == TermKind::constant && term.bits == 0
        && (kind == ArgumentKind::integer || kind == ArgumentKind::floating);
}

bool TraceBuilder::isRandomCall(const OperatorFacts& facts, const Call& call) const
{
    const auto given = [&](std::size_t position, std::initializer_list<std::string_view> names) {
        ValueId found = call.argument(position);
        for (const std::string_view name : names)
            found = found.isValid() ? found : call.keyword(name);
        return found;
    };
    switch (facts.random) {
    case RandomRule::never:
        return false;
    case RandomRule::always:
        return true;
    case RandomRule::training:
        return !isFalse(given(facts.flag, {"training", "train"}));
    case RandomRule::dropoutP: {
        const ValueId p = given(facts.flag, {"dropout_p"});
        return p.isValid() && !isZero(p);
    }
    case RandomRule::recurrent:
        return !isZero(given(facts.flag, {"dropout"})) && !isFalse(given(facts.flag + 1U, {"train"}));
    case RandomRule::attention:
        return !isZero(given(facts.flag, {"dropout_p"})) && !isFalse(given(facts.flag + 3U, {"training"}));
    }
    return true;
}

void TraceBuilder::collectWrites(Frame& frame, const Node& node, const OperatorFacts& facts, const Call& call,
                                 std::vector<ValueId>& written)
{
    const auto everything = [&] {
        for (const ValueId value : call.positional)
            collectLeaves(value, written);
        for (const auto& keyword : call.keywords)
            collectLeaves(keyword.second, written);
    };
    const auto masked = [&] {
        if (!call.keywords.empty()) // which of them stands for a position is not known here
            return everything();
        for (std::size_t i = 0; i < call.positional.size() && i < 32; ++i)
            if ((facts.written >> i & 1U) != 0)
                collectLeaves(call.positional[i], written);
    };
    const ValueId flag = call.argument(facts.flag);
    switch (facts.write) {
    case WriteRule::none:
        break;
    case WriteRule::first:
        if (call.positional.empty())
            everything();
        else
            collectLeaves(call.positional[0], written);
        break;
    case WriteRule::all:
        everything();
        break;
    case WriteRule::mask:
        masked();
        break;
    case WriteRule::maskTraining: {
        const ValueId named = call.keyword("use_input_stats");
        const ValueId training = flag.isValid() ? flag : named.isValid() ? named : call.keyword("training");
        const bool defaultsToFalse = !training.isValid() && node.target.view() == "torch.nn.functional.batch_norm";
        if (!defaultsToFalse && !isFalse(training))
            masked();
        break;
    }
    case WriteRule::maxNorm: {
        const ValueId norm = flag.isValid() ? flag : call.keyword("max_norm");
        if (norm.isValid() && at(norm).term != m_terms.literal(Argument()))
            masked();
        break;
    }
    }
    ValueId inPlace = call.keyword("inplace");
    if (!inPlace.isValid() && facts.inPlaceFlag >= 0)
        inPlace = call.argument(static_cast<std::size_t>(facts.inPlaceFlag));
    if (inPlace.isValid() && !isFalse(inPlace) && !call.positional.empty())
        collectLeaves(call.positional[0], written);
    else if (inPlace.isValid() && !isFalse(inPlace))
        everything();
    const bool overloaded = !operatorName(node.target.view()).overload.empty()
        && operatorName(node.target.view()).overload != "default";
    for (const auto& [key, value] : call.keywords)
        if (isOutArgument(key.view()) && (overloaded || key.view().starts_with("out")))
            collectLeaves(value, written);
    if (node.meta.mutated) {
        std::vector<NodeId> nodes;
        forEachNode(node.args, node.kwargs, [&](NodeId input) { nodes.push_back(input); });
        for (const std::int32_t position : *node.meta.mutated) {
            if (position >= 0 && static_cast<std::size_t>(position) < nodes.size())
                collectLeaves(frame.values[nodes[static_cast<std::size_t>(position)].index()], written);
            else
                everything();
        }
    }
    std::ranges::sort(written);
    written.erase(std::ranges::unique(written).begin(), written.end());
}

void TraceBuilder::mergeResult(const OperatorFacts& facts, const Call& call, ValueId result)
{
    if (!m_context.followMemory)
        return;
    std::vector<ValueId> leaves;
    if (facts.aliasing == Aliasing::maybeAny || (facts.aliasing != Aliasing::fresh && call.positional.empty())) {
        for (const ValueId value : call.positional)
            collectLeaves(value, leaves);
        for (const auto& keyword : call.keywords)
            collectLeaves(keyword.second, leaves);
    } else if (facts.aliasing != Aliasing::fresh) {
        collectLeaves(call.positional[0], leaves);
    }
    for (const ValueId value : leaves)
        m_trace.regions.merge(at(value).region, at(result).region);
}

std::uint32_t TraceBuilder::pushStep(Frame& frame, NodeId id, TermId target, const Call& call, ValueId result)
{
    std::vector<ValueId> all = call.positional;
    std::vector<TermId> keys;
    for (const auto& [key, value] : call.keywords) {
        all.push_back(value);
        keys.push_back(m_terms.text(key));
    }
    Step step{.target = target, .node = {frame.graph, id}, .arguments = pool(all), .result = result};
    step.keywords = keys.empty() ? TermTable::nothing() : shapeOf(ArgumentKind::dict, {}, keys);
    step.state = m_state.term();
    step.gradientState = m_state.gradientTerm();
    m_trace.steps.push_back(step);
    m_steps += all.size();
    return static_cast<std::uint32_t>(m_trace.steps.size() - 1);
}

TermId TraceBuilder::functionTarget(InternedString name, Op op)
{
    return m_terms.make({.kind = TermKind::constant, .detail = static_cast<std::uint8_t>(ArgumentKind::function),
                         .head = name.id(), .bits = static_cast<std::uint64_t>(op)});
}

void TraceBuilder::emitEffect(Frame& frame, NodeId id, TermId target, const Call& call)
{
    const std::uint32_t step = pushStep(frame, id, target, call, leaf({}));
    m_trace.steps[step].role = CallRole::effect;
}

bool TraceBuilder::fillsExactly(const Frame& frame, const Node& node) const
{
    std::array<const Argument*, 2> vals{};
    for (std::size_t i = 0; i < 2; ++i) {
        if (i >= node.args.size() || !node.args[i].is(ArgumentKind::node))
            return false;
        const std::optional<Argument>& val = m_program.graph(frame.graph).node(node.args[i].asNode()).meta.val;
        if (!val || !val->is(ArgumentKind::tensor))
            return false;
        vals[i] = &*val;
    }
    const TensorMeta& target = vals[0]->asTensor();
    const TensorMeta& source = vals[1]->asTensor();
    return node.args.size() == 2 && target.dtype == source.dtype && target.device == source.device
        && target.shape == source.shape;
}

ValueId TraceBuilder::primitive(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call, TermId target)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    std::vector<ValueId> written;
    collectWrites(frame, node, facts, call, written);
    const bool containerWritten = facts.write == WriteRule::first && !call.positional.empty()
        && at(call.positional[0]).kind == ValueKind::container && !operatorName(node.target.view()).name.starts_with("_foreach_");
    if (containerWritten)
        return unknown({frame.graph, id}, "it changes a list, tuple or dict in place");

    CallRole role = facts.role;
    if (m_context.effects.contains(node.target))
        role = CallRole::effect;
    bool view = facts.aliasing == Aliasing::view && !call.positional.empty();
    if (role == CallRole::getItem)
        view = call.positional.size() == 2 && isPlainIndex(call.positional[1]);
    const ValueId first = call.argument(0);
    if (role == CallRole::function && node.target.view() == "getattr" && call.positional.size() == 2) {
        const Term& name = m_terms[at(call.positional[1]).term.isValid() ? at(call.positional[1]).term : TermTable::nothing()];
        if (name.kind == TermKind::constant && name.detail == static_cast<std::uint8_t>(ArgumentKind::string))
            for (const std::string_view attribute : {"shape", "dtype", "device", "ndim", "layout"})
                if (name.head == intern(attribute).id())
                    role = CallRole::query;
    }
    if (role == CallRole::query && first.isValid() && call.positional.size() == 2 && !m_context.reshapes) {
        // The size of an input is the symbol that it was exported with.
        const Value& dimension = at(call.positional[1]);
        const Term* input = at(first).term.isValid() ? &termOf(at(first)) : nullptr;
        const std::string_view name = operatorName(node.target.view()).name;
        if (input != nullptr && input->kind == TermKind::input && dimension.kind == ValueKind::constant
            && (name == "sym_size" || name == "size")
            && termOf(dimension).detail == static_cast<std::uint8_t>(ArgumentKind::integer)) {
            const TermId symbol = m_context.correspondence.sizeOf(static_cast<std::uint32_t>(input->bits),
                                                                  static_cast<std::int64_t>(termOf(dimension).bits));
            if (symbol.isValid())
                return constant(symbol);
        }
    }

    const bool returnsFirst = facts.returnsFirst && first.isValid() && at(first).kind == ValueKind::leaf;
    const ValueId result = returnsFirst ? first : leaf({});
    const std::uint32_t index = pushStep(frame, id, target, call, result);
    m_trace.steps[index].role = role;
    m_trace.steps[index].written = pool(written);
    const std::string_view plain = operatorName(node.target.view()).name;
    if (role == CallRole::query || plain == "_assert_tensor_metadata")
        m_trace.steps[index].reading = Reading::locations;
    else if (view)
        m_trace.steps[index].reading = Reading::firstByLocation;
    m_trace.steps[index].logicalView = view && plain != "as_strided" && plain != "_reshape_alias"
        && operatorName(node.target.view()).overload != "dtype";
    m_trace.steps[index].random = isRandomCall(facts, call);
    m_trace.steps[index].overwrites = facts.overwrites && fillsExactly(frame, node);
    m_trace.steps[index].wholeState = plain.starts_with("is_") || plain.starts_with("get_") || plain.starts_with("are_")
        || plain.starts_with("_is_") || plain.starts_with("_get_");
    if (!returnsFirst) {
        OperatorFacts how = facts;
        // Methods and arithmetic of Python hand on what a list, tuple or dict holds.
        const auto isContainer = [&](ValueId value) { return at(value).kind == ValueKind::container; };
        if (std::ranges::any_of(call.positional, isContainer)
            && (node.op == Op::callMethod || node.target.view().starts_with("_operator.")))
            how.aliasing = Aliasing::maybeAny;
        if (role == CallRole::getItem && how.aliasing == Aliasing::fresh)
            how.aliasing = Aliasing::maybe;
        if (role == CallRole::query || role == CallRole::assertion)
            how.aliasing = Aliasing::fresh;
        mergeResult(how, call, result);
    }
    if (m_context.followMemory) {
        for (const ValueId value : written) {
            m_trace.regions.markWritten(at(value).region);
            if (facts.changesMetadata)
                m_trace.regions.markReshaped(at(value).region);
        }
        // What is put into a container or an object of the program is shared with it from then on.
        if (!written.empty() && !returnsFirst && facts.aliasing == Aliasing::maybeAny)
            mergeResult(facts, call, written.front());
    }
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, !returnsFirst);
    if (facts.assumedPure && role == CallRole::function && m_noted.insert(node.target).second)
        m_trace.notes.push_back(node.target.str() + " is taken to be a function of its arguments");
    return result;
}

ValueId TraceBuilder::leafModule(Frame& frame, NodeId id, ModuleId module, const Call& call)
{
    const Module& called = m_program.modules[module];
    const Node& node = m_program.graph(frame.graph).node(id);
    const LeafModuleFacts facts = leafModuleFacts(called.cls.view());
    if (facts.identity && !call.positional.empty())
        return call.positional[0];
    std::vector<TermId> parts{m_terms.text(m_context.correspondence.modulePath(m_side, module))};
    const TermId target = m_terms.make({.kind = TermKind::module, .head = called.cls.id()}, parts);

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
    if (m_context.followMemory) {
        // A result that the file puts into the memory of an argument was computed in place.
        if (node.meta.val && node.meta.val->is(ArgumentKind::tensor) && !facts.neverInPlace && !call.positional.empty()) {
            const auto place = frame.storages.find(node.meta.val->asTensor().storage);
            std::vector<ValueId> leaves;
            collectLeaves(call.positional[0], leaves);
            for (const ValueId value : leaves)
                if (place != frame.storages.end() && !node.meta.val->asTensor().storage.empty()
                    && m_trace.regions.find(place->second) == m_trace.regions.find(at(value).region))
                    written.push_back(value);
        }
        OperatorFacts how;
        how.aliasing = facts.guards ? Aliasing::fresh : facts.aliasing;
        mergeResult(how, call, result);
        for (const ValueId value : written)
            m_trace.regions.markWritten(at(value).region);
    }
    m_trace.steps[index].written = pool(written);
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, true);
    return result;
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
    const TermId target = functionTarget(name, Op::callFunction);
    const OperatorFacts& facts = m_context.operators.of(Op::callFunction, name);
    const ValueId result = leaf({});
    std::vector<ValueId> written;
    if (facts.write != WriteRule::none)
        for (const ValueId value : inner.positional)
            collectLeaves(value, written);
    const std::uint32_t index = pushStep(frame, id, target, inner, result);
    m_trace.steps[index].role = CallRole::effect;
    m_trace.steps[index].random = facts.random != RandomRule::never;
    m_trace.steps[index].written = pool(written);
    OperatorFacts how = facts;
    how.aliasing = Aliasing::maybeAny;
    mergeResult(how, inner, result);
    if (m_context.followMemory)
        for (const ValueId value : written)
            m_trace.regions.markWritten(at(value).region);

    std::vector<ValueId> items{call.positional[0]};
    const std::size_t count = node.meta.val ? node.meta.val->items().size() : 2;
    static const InternedString kGetItem = intern("_operator.getitem");
    const TermId getItem = functionTarget(kGetItem, Op::callFunction);
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
