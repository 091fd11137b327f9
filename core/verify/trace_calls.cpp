// Calls in a trace that are not calls of graphs: what they read, write and return.
#include "operators/operator_target.h"
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

/// The ids of the names of all tensors' storages in a value; false when the file does not say where one of its parts lies.
bool collectStorages(const Argument& val, std::vector<std::uint32_t>& storages)
{
    switch (val.kind()) {
    case ArgumentKind::tensor: storages.push_back(val.asTensor().storage.id()); return !val.asTensor().storage.empty();
    case ArgumentKind::node:
    case ArgumentKind::graph:
    case ArgumentKind::constant:
    case ArgumentKind::object:
    case ArgumentKind::opaque:
    case ArgumentKind::unknown: return false;
    default: break;
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
    call.isSorted = sortKeywords;
    if (sortKeywords && call.keywords.size() > 1)
        std::ranges::sort(call.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });
    return call;
}

/// The arguments of a call as the table of operators asks for them.
class TraceBuilder::Given final : public CallArguments {
public:
    Given(const TraceBuilder& builder, const Call& call) : m_builder(builder), m_call(call) {}
    [[nodiscard]] std::size_t positionalCount() const override { return m_call.positional.size(); }
    [[nodiscard]] std::size_t keywordCount() const override { return m_call.keywords.size(); }
    [[nodiscard]] InternedString keyword(std::size_t index) const override { return m_call.keywords[index].first; }
    [[nodiscard]] Truth truth(std::size_t slot) const override { return m_builder.truthOf(m_call.slot(slot)); }
    [[nodiscard]] bool isList(std::size_t slot) const override
    {
        const ValueId value = m_call.slot(slot);
        return value.isValid() && m_builder.at(value).kind == ValueKind::container;
    }

private:
    const TraceBuilder& m_builder;
    const Call& m_call;
};

CallFacts TraceBuilder::factsOf(const OperatorFacts& facts, const Call& call) const
{
    CallFacts does = callFacts(facts, Given(*this, call));
    if (facts.known || !m_context.trustsUnknown)
        return does;
    return {.written = {}, .reshaped = {}, .resized = {}, .result = does.result, .shared = std::move(does.shared)};
}

ModuleCallFacts TraceBuilder::factsOf(const Frame& frame, const Node& node, ModuleId module, const Call& call)
{
    const Given given(*this, call);
    if (m_context.trustsUnknown) {
        ModuleCallFacts does = m_leaves.of(module, given, MissingAttribute::off);
        if (does.known)
            return does;
        return {
            .call = {
                .written = {}, .reshaped = {}, .resized = {}, .result = does.call.result, .shared = std::move(does.call.shared)}};
    }
    ModuleCallFacts does = m_leaves.of(module, given);
    // What lies elsewhere than its argument was not computed in place.
    if (does.known && does.asksAttributes && !does.call.written.empty() && liesApart(frame, node))
        does.call.written.clear();
    return does;
}

Truth TraceBuilder::truthOf(ValueId id) const
{
    if (!id.isValid() || at(id).kind != ValueKind::constant || termOf(at(id)).kind != TermKind::constant)
        return Truth::unknown;
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    const Term& term = termOf(at(id));
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::none: return Truth::off;
    case ArgumentKind::boolean:
    case ArgumentKind::integer: return term.bits != 0 ? Truth::on : Truth::off;
    case ArgumentKind::floating: return (term.bits & ~kSign) != 0 ? Truth::on : Truth::off;
    case ArgumentKind::string: return Truth::on;
    default: return Truth::unknown;
    }
}

void TraceBuilder::mergeSlots(std::span<const std::uint32_t> slots, const Call& call, ValueId result)
{
    if (!m_context.followMemory)
        return;
    std::vector<ValueId> leaves;
    collectSlots(slots, call, leaves);
    for (const ValueId value : leaves)
        m_trace.regions.merge(at(value).region, at(result).region);
}

void TraceBuilder::mergeAll(const Call& call, ValueId result)
{
    if (!m_context.followMemory)
        return;
    std::vector<ValueId> leaves;
    collectAll(call, leaves);
    for (const ValueId value : leaves)
        m_trace.regions.merge(at(value).region, at(result).region);
}

void TraceBuilder::noteUnknown(Op op, InternedString target)
{
    if (!m_noted.insert(target).second)
        return;
    m_trace.notes.push_back((op == Op::callMethod ? "method " : "") + target.str()
                            + " is not known: it is taken to write to all tensors that reach it, to hand them on, to draw random"
                              " numbers and to have effects");
    if (target.view().starts_with("torch.ops."))
        m_trace.unknownOperators.push_back(target.str());
}

std::uint32_t TraceBuilder::pushStep(Frame& frame, NodeId id, TermId target, const Call& call, ValueId result)
{
    checkArguments(frame, call);
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
    m_terms.learn(name);
    return m_terms.make({.kind = TermKind::constant,
                         .detail = static_cast<std::uint8_t>(ArgumentKind::function),
                         .head = name.id(),
                         .bits = static_cast<std::uint64_t>(op)});
}

void TraceBuilder::emitEffect(Frame& frame, NodeId id, TermId target, const Call& call)
{
    const std::uint32_t step = pushStep(frame, id, target, call, leaf({}));
    m_trace.steps[step].role = CallRole::effect;
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

void TraceBuilder::describeStep(Frame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                const Call& call, Step& step)
{
    const OperatorName name = operatorName(node.target.view());
    bool view = does.result == ResultMemory::view && does.shared.front() == 0;
    if (step.role == CallRole::getItem)
        view = call.positional.size() == 2 && isPlainIndex(call.positional[1]);
    if (step.role == CallRole::query || name.name == "_assert_tensor_metadata")
        step.reading = Reading::locations;
    else if (view)
        step.reading = Reading::firstByLocation;
    step.logicalView = view && !does.seesLayout;
    step.failsByForm = step.role == CallRole::getItem ? view : failsByForm(step.role, does);
    step.keepsGradients = does.keepsGradients && call.keywords.empty();
    step.random = does.random;
    step.opaque = !facts.known && !m_context.trustsUnknown;
    describeCopies(frame, node, facts, step);
    step.detaches = facts.detaches && !call.positional.empty();
    step.wholeState = step.opaque || name.name.starts_with("is_") || name.name.starts_with("get_")
        || name.name.starts_with("are_") || name.name.starts_with("_is_") || name.name.starts_with("_get_");
}

void TraceBuilder::aliasResult(const Frame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                               const Call& call, const Step& step)
{
    if (step.role == CallRole::query || step.role == CallRole::assertion)
        return;
    if (facts.role == CallRole::closures) // a loop of no turns hands on what it was given; map stacks, of cond see closures()
        return operatorName(node.target.view()).name.starts_with("map") || isCond(node) ? void() : mergeAll(call, step.result);
    // Methods and arithmetic of Python hand on what a list, tuple or dict holds.
    const auto isContainer = [&](ValueId value) { return at(value).kind == ValueKind::container; };
    const bool isItem = facts.role == CallRole::getItem;
    const auto handed =
        std::span(call.positional).first(isItem ? std::min<std::size_t>(call.positional.size(), 1) : call.positional.size());
    if (std::ranges::any_of(handed, isContainer) && (node.op == Op::callMethod || node.target.view().starts_with("_operator.")))
        return mergeAll(call, step.result);
    if (isItem && indexCopies(frame, node))
        return;
    if (!facts.known && liesApart(frame, node))
        return;
    if (facts.newTensor && makesTensor(m_context.operators, m_program.graph(frame.graph), node))
        return;
    mergeSlots(does.shared, call, step.result);
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
    const CallRole role = roleOf(node, facts, call);
    CallFacts does = role == CallRole::query ? CallFacts() : factsOf(facts, call);
    if (role == CallRole::query) // not of a shape, which getattr may ask for as well
        does.seesLayout = facts.role == role && facts.mayDo(FactKind::seesLayout);
    if (does.converts)
        settle(frame, node, call, does);
    if (changesContainer(node, facts, does, call))
        return unknown({frame.graph, id}, "it changes a list, tuple or dict in place");
    if (role == CallRole::query) // the size of an input is the symbol that it was exported with
        if (const TermId symbol = sizeOfInput(node, call); symbol.isValid())
            return constant(symbol);
    const ValueId itself = does.result == ResultMemory::is ? call.slot(does.shared.front()) : ValueId();
    const bool returnsArgument = itself.isValid() && at(itself).kind == ValueKind::leaf;
    if (returnsArgument && does.written.empty() && !does.random && role == CallRole::function && !node.meta.mutated)
        return itself;

    std::vector<ValueId> written;
    std::vector<ValueId> marked;
    collectWrites(does, call, written);
    collectMarked(frame, node, call, marked);
    const ValueId result = returnsArgument ? itself : leaf({});
    const std::uint32_t index = pushStep(frame, id, target, call, result);
    Step& step = m_trace.steps[index];
    const bool opaque = !facts.known && !m_context.trustsUnknown;
    step.role = opaque || role == CallRole::stir ? CallRole::effect : role;
    step.written = pool(written);
    step.marked = pool(marked);
    describeStep(frame, node, facts, does, call, step);
    step.readsLayout = readsLayout(role, does);
    if (!returnsArgument)
        aliasResult(frame, node, facts, does, call, step);
    written.insert(written.end(), marked.begin(), marked.end());
    const bool handsOn = facts.isPython && does.result == ResultMemory::maybe;
    followWrites(index, does, call, written, mayResize(frame, node, does, call), !facts.known || handsOn);
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, returnsArgument ? Alignment::distrust : Alignment::merge);
    if (!facts.known)
        noteUnknown(node.op, node.target);
    return result;
}

/// What is put into a container or an object of the program is shared with it from then on (`shares`); so it may be, too, by
/// what nobody knows, and by what gives a tensor the storage of another.
void TraceBuilder::followWrites(std::uint32_t step, const CallFacts& does, const Call& call, std::span<const ValueId> written,
                                bool resizes, bool shares)
{
    m_trace.steps[step].reshapes = !does.reshaped.empty() || resizes;
    if (m_context.followMemory)
        markWritten(does, call, written);
    if (m_trace.steps[step].reshapes)
        markReshaped(call, written);
    if (!written.empty() && (shares || !does.reshaped.empty()))
        mergeAll(call, written.front());
}

} // namespace sunder
