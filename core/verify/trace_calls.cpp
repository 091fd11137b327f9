// Calls in a trace that are not calls of graphs: what they read, write and return.
#include "analysis/operator_names.h"
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

/// The ids of the names of all tensors' storages in a value; false when the file does not say where one of its parts lies.
bool collectStorages(const Argument& val, std::vector<std::uint32_t>& storages)
{
    switch (val.kind()) {
    case ArgumentKind::tensor:
        storages.push_back(val.asTensor().storage.id());
        return !val.asTensor().storage.empty();
    case ArgumentKind::node:
    case ArgumentKind::graph:
    case ArgumentKind::constant:
    case ArgumentKind::object:
    case ArgumentKind::opaque:
    case ArgumentKind::unknown:
        return false;
    default:
        break;
    }
    for (const Argument& item : val.items())
        if (!collectStorages(item, storages))
            return false;
    return true;
}

} // namespace

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
        return !isFalse(given(facts.flag, {"training", "train"}))
            && !(facts.identityUnlessRandom && isZero(given(1, {"p"})));
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

bool TraceBuilder::clonesTensor(const Frame& frame, const Node& node) const
{
    static const InternedString kClone = intern("torch.ops.aten.clone.default");
    if (node.target != kClone || node.args.size() != 1 || !node.kwargs.empty() || !node.args[0].is(ArgumentKind::node))
        return false;
    const std::optional<Argument>& val = m_program.graph(frame.graph).node(node.args[0].asNode()).meta.val;
    return val && val->is(ArgumentKind::tensor);
}

TermId TraceBuilder::layoutThatIsCopied(const Frame& frame, const Node& node) const
{
    static const InternedString kCopy = intern("torch.ops.aten.copy.default");
    if (node.target != kCopy || !node.kwargs.empty() || !fillsExactly(frame, node))
        return {};
    const std::optional<Arguments>& strides = m_program.graph(frame.graph).node(node.args[0].asNode()).meta.val->asTensor().stride;
    if (!strides)
        return {};
    std::vector<TermId> parts;
    for (const Argument& stride : *strides)
        parts.push_back(m_terms.literal(stride));
    return m_terms.make({.kind = TermKind::shape}, parts);
}

CallRole TraceBuilder::roleOf(const Node& node, const OperatorFacts& facts, const Call& call) const
{
    if (m_context.effects.contains(node.target))
        return CallRole::effect;
    if (facts.role != CallRole::function || node.target.view() != "getattr" || call.positional.size() != 2)
        return facts.role;
    const TermId given = at(call.positional[1]).term;
    const Term& name = m_terms[given.isValid() ? given : TermTable::nothing()];
    if (name.kind == TermKind::constant && name.detail == static_cast<std::uint8_t>(ArgumentKind::string))
        for (const std::string_view attribute : {"shape", "dtype", "device", "ndim", "layout"})
            if (name.head == intern(attribute).id())
                return CallRole::query;
    return facts.role;
}

TermId TraceBuilder::sizeOfInput(const Node& node, const Call& call) const
{
    const std::string_view name = operatorName(node.target.view()).name;
    if (call.positional.size() != 2 || m_context.reshapes || (name != "sym_size" && name != "size"))
        return {};
    const Value& of = at(call.positional[0]);
    const Value& dimension = at(call.positional[1]);
    if (!of.term.isValid() || termOf(of).kind != TermKind::input || dimension.kind != ValueKind::constant
        || termOf(dimension).detail != static_cast<std::uint8_t>(ArgumentKind::integer))
        return {};
    return m_context.correspondence.sizeOf(static_cast<std::uint32_t>(termOf(of).bits),
                                           static_cast<std::int64_t>(termOf(dimension).bits));
}

void TraceBuilder::describeStep(Frame& frame, const Node& node, const OperatorFacts& facts, const Call& call, Step& step)
{
    const OperatorName name = operatorName(node.target.view());
    bool view = facts.aliasing == Aliasing::view && !call.positional.empty();
    if (step.role == CallRole::getItem)
        view = call.positional.size() == 2 && isPlainIndex(call.positional[1]);
    if (step.role == CallRole::query || name.name == "_assert_tensor_metadata")
        step.reading = Reading::locations;
    else if (view)
        step.reading = Reading::firstByLocation;
    step.logicalView = view && name.name != "as_strided" && name.name != "_reshape_alias" && name.overload != "dtype";
    step.random = isRandomCall(facts, call);
    step.overwrites = facts.overwrites && fillsExactly(frame, node);
    step.clones = clonesTensor(frame, node);
    step.firstLayout = layoutThatIsCopied(frame, node);
    step.detaches = facts.detaches && !call.positional.empty();
    step.wholeState = name.name.starts_with("is_") || name.name.starts_with("get_") || name.name.starts_with("are_")
        || name.name.starts_with("_is_") || name.name.starts_with("_get_");
}

void TraceBuilder::aliasResult(const Frame& frame, const Node& node, const OperatorFacts& facts, const Call& call, const Step& step)
{
    OperatorFacts how = facts;
    // Methods and arithmetic of Python hand on what a list, tuple or dict holds.
    const auto isContainer = [&](ValueId value) { return at(value).kind == ValueKind::container; };
    const bool isItem = m_context.operators.of(node.op, node.target).role == CallRole::getItem;
    const auto handed = std::span(call.positional).first(isItem ? std::min<std::size_t>(call.positional.size(), 1) : call.positional.size());
    if (std::ranges::any_of(handed, isContainer)
        && (node.op == Op::callMethod || node.target.view().starts_with("_operator.")))
        how.aliasing = Aliasing::maybeAny;
    if (step.role == CallRole::getItem && how.aliasing == Aliasing::fresh && !(isItem && indexCopies(frame, node)))
        how.aliasing = Aliasing::maybe;
    if (step.role == CallRole::query || step.role == CallRole::assertion)
        how.aliasing = Aliasing::fresh;
    if (how.aliasing == Aliasing::maybeAny && facts.write == WriteRule::none && liesApart(frame, node))
        how.aliasing = Aliasing::fresh;
    mergeResult(how, call, step.result);
}

/// Whether the file says that a result and all that went into it lie in different memory. Operators whose result is
/// a copy or a view as strides happen to be may do otherwise another time; this is for those of which nothing is known.
bool TraceBuilder::liesApart(const Frame& frame, const Node& node) const
{
    std::vector<std::uint32_t> mine;
    if (!node.meta.val || !collectStorages(*node.meta.val, mine))
        return false;
    std::ranges::sort(mine);
    bool apart = true;
    std::vector<std::uint32_t> theirs;
    forEachNode(node.args, node.kwargs, [&](NodeId input) {
        const std::optional<Argument>& val = m_program.graph(frame.graph).node(input).meta.val;
        theirs.clear();
        apart = apart && val && collectStorages(*val, theirs)
            && std::ranges::none_of(theirs, [&](std::uint32_t storage) { return std::ranges::binary_search(mine, storage); });
    });
    return apart;
}

ValueId TraceBuilder::primitive(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call, TermId target)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const bool containerWritten = facts.write == WriteRule::first && !call.positional.empty()
        && at(call.positional[0]).kind == ValueKind::container && !operatorName(node.target.view()).name.starts_with("_foreach_");
    if (containerWritten)
        return unknown({frame.graph, id}, "it changes a list, tuple or dict in place");
    const CallRole role = roleOf(node, facts, call);
    if (role == CallRole::query) // the size of an input is the symbol that it was exported with
        if (const TermId symbol = sizeOfInput(node, call); symbol.isValid())
            return constant(symbol);
    const ValueId first = call.argument(0);
    const bool returnsFirst = facts.returnsFirst && first.isValid() && at(first).kind == ValueKind::leaf;
    if (returnsFirst && facts.identityUnlessRandom && !isRandomCall(facts, call))
        return first;

    std::vector<ValueId> written;
    std::vector<ValueId> marked;
    collectWrites(node, facts, call, written);
    collectMarked(frame, node, call, marked);
    const ValueId result = returnsFirst ? first : leaf({});
    const std::uint32_t index = pushStep(frame, id, target, call, result);
    Step& step = m_trace.steps[index];
    step.role = role;
    step.written = pool(written);
    step.marked = pool(marked);
    describeStep(frame, node, facts, call, step);
    if (!returnsFirst)
        aliasResult(frame, node, facts, call, step);
    written.insert(written.end(), marked.begin(), marked.end());
    if (m_context.followMemory)
        markWritten(facts, written);
    // What is put into a container or an object of the program is shared with it from then on.
    if (!written.empty() && !returnsFirst && facts.aliasing == Aliasing::maybeAny)
        mergeResult(facts, call, written.front());
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, returnsFirst ? Alignment::distrust : Alignment::merge);
    if (facts.assumedPure && role == CallRole::function && m_noted.insert(node.target).second)
        m_trace.notes.push_back(node.target.str() + " is taken to be a function of its arguments");
    return result;
}

} // namespace sunder
