#include "verify/operator_calls.h"

#include "operators/operator_target.h"
#include "verify/bound_arguments.h"

#include <algorithm>
#include <array>

namespace sunder {

CallFacts OperatorCalls::factsOf(const OperatorFacts& facts, const TracedCall& call)
{
    const CallFacts& does = m_known.of(facts, BoundArguments(m_draft.trace, m_draft.terms, call));
    if (facts.known || !m_draft.context.assumePure)
        return does;
    return {.written = {}, .reshaped = {}, .resized = {}, .result = does.result, .shared = does.shared};
}

CallRole OperatorCalls::roleOf(const Node& node, const OperatorFacts& facts, const TracedCall& call) const
{
    if (m_draft.context.effects.contains(node.target))
        return CallRole::effect;
    if (facts.role != CallRole::function || node.target.view() != "getattr" || call.positional.size() != 2)
        return facts.role;
    const TermId given = m_draft.at(call.positional[1]).term;
    const Term& name = m_draft.terms[given.isValid() ? given : TermTable::nothing()];
    if (name.kind == TermKind::constant && name.detail == static_cast<std::uint8_t>(ArgumentKind::string))
        for (const std::string_view attribute : {"shape", "dtype", "device", "ndim", "layout"})
            if (name.head == intern(attribute).id())
                return CallRole::query;
    return facts.role;
}

bool OperatorCalls::asksHistory(const Node& node, const TracedCall& call) const
{
    static constexpr std::array<std::string_view, 7> kNames{"_version",  "_cdata", "grad_fn", "__dict__",
                                                            "output_nr", "_base",  "_is_view"};
    if (node.target.view() != "getattr" || call.positional.size() < 2)
        return false;
    const TermId name = m_draft.at(call.positional[1]).term;
    return name.isValid() && m_draft.terms[name].detail == static_cast<std::uint8_t>(ArgumentKind::string)
        && std::ranges::find(kNames, m_draft.terms.textOf(name).view()) != kNames.end();
}

TermId OperatorCalls::sizeOfInput(const Node& node, const TracedCall& call) const
{
    const std::string_view name = operatorName(node.target.view()).name;
    if (call.positional.size() != 2 || m_draft.context.reshapes || (name != "sym_size" && name != "size"))
        return {};
    const Value& of = m_draft.at(call.positional[0]);
    const Value& dimension = m_draft.at(call.positional[1]);
    if (!of.term.isValid() || m_draft.termOf(of).kind != TermKind::input || dimension.kind != ValueKind::constant
        || m_draft.termOf(dimension).detail != static_cast<std::uint8_t>(ArgumentKind::integer))
        return {};
    return m_draft.context.mapping.sizeOf(static_cast<std::uint32_t>(m_draft.termOf(of).bits),
                                          static_cast<std::int64_t>(m_draft.termOf(dimension).bits));
}

bool OperatorCalls::mayAskContainer(const TraceFrame& frame, const Node& node, CallRole role, const TracedCall& call) const
{
    if (!m_draft.context.changesContainers || m_draft.context.assumePure || call.positional.empty()
        || (role != CallRole::getItem && role != CallRole::query) || m_draft.at(call.positional[0]).kind != ValueKind::leaf)
        return false;
    const Argument& asked = node.args.empty() ? Argument() : node.args.front();
    if (!asked.is(ArgumentKind::node))
        return true;
    const std::optional<Argument>& val = m_draft.program.graph(frame.graph).node(asked.asNode()).meta.val;
    return !val || !(val->is(ArgumentKind::tensor) || val->is(ArgumentKind::tuple) || val->is(ArgumentKind::namedTuple));
}

void OperatorCalls::describeStep(TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                 const TracedCall& call, Step& step)
{
    const OperatorName name = operatorName(node.target.view());
    bool view = does.result == ResultMemory::view && does.shared.front() == 0;
    const bool mayChange = mayAskContainer(frame, node, step.role, call);
    if (step.role == CallRole::getItem)
        view = !mayChange && call.positional.size() == 2 && m_containers.isPlainIndex(call.positional[1]);
    step.asksFile = step.asksFile || mayChange;
    if ((step.role == CallRole::query && !mayChange) || name.name == "_assert_tensor_metadata")
        step.reading = Reading::locations;
    else if (view)
        step.reading = Reading::firstByLocation;
    step.logicalView = view && !does.seesLayout;
    step.failsByForm = step.role == CallRole::getItem ? view : failsByForm(step.role, does);
    step.keepsGradients = does.keepsGradients && call.stated <= call.positional.size();
    step.random = does.random;
    step.opaque = !facts.known && !m_draft.context.assumePure;
    m_descriptions.describeCopies(frame, node, facts, call, step);
    m_descriptions.layResult(facts, call, step);
    step.detaches = facts.detaches && !call.positional.empty();
    step.wholeState = step.opaque || name.name.starts_with("is_") || name.name.starts_with("get_")
        || name.name.starts_with("are_") || name.name.starts_with("_is_") || name.name.starts_with("_get_");
}

void OperatorCalls::aliasResult(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                const TracedCall& call, const Step& step)
{
    if (step.role == CallRole::query || step.role == CallRole::assertion)
        return;
    if (facts.role
        == CallRole::closures) // zero iterations return the arguments; map stacks its results; for cond see m_graphs.closures()
        return operatorName(node.target.view()).name.starts_with("map") || isCond(node) ? void()
                                                                                        : m_memory.mergeAll(call, step.result);
    // Python methods and arithmetic may return items of a list, tuple, or dict.
    const auto isContainer = [&](ValueId value) { return m_draft.at(value).kind == ValueKind::container; };
    const bool isItem = facts.role == CallRole::getItem;
    const auto handed =
        std::span(call.positional).first(isItem ? std::min<std::size_t>(call.positional.size(), 1) : call.positional.size());
    if (std::ranges::any_of(handed, isContainer) && (node.op == Op::callMethod || node.target.view().starts_with("_operator.")))
        return m_memory.mergeAll(call, step.result);
    if (isItem && m_memory.indexCopies(frame, node))
        return;
    if (!facts.known && m_memory.liesApart(frame, node))
        return;
    if (facts.newTensor && makesTensor(m_draft.context.operators, m_draft.program.graph(frame.graph), node))
        return;
    m_memory.mergeSlots(does.shared, call, step.result);
}

bool OperatorCalls::mayBeNoTensor(const TraceFrame& frame, const Node& node, std::size_t slot) const
{
    static constexpr std::array<std::string_view, 4> kOthers{"item", "numpy", "split", "tolist"};
    const NodeArguments given(node);
    if (slot >= given.slotCount() || !given.argument(slot).is(ArgumentKind::node))
        return false;
    const Node& maker = m_draft.program.graph(frame.graph).node(given.argument(slot).asNode());
    if (maker.meta.val)
        return !maker.meta.val->is(ArgumentKind::tensor);
    if (maker.op != Op::callFunction && maker.op != Op::callMethod)
        return false;
    const OperatorFacts& facts = m_draft.context.operators.of(maker);
    const bool givesOther = !facts.overloads.empty()
        && std::ranges::any_of(facts.overloads, [](const OperatorOverload& overload) {
               const std::vector<SchemaArgument>& results = overload.schema.results;
               return results.size() > 1 || (results.size() == 1 && results.front().type.view() != "Tensor");
           });
    return facts.role == CallRole::query || (facts.known && givesOther)
        || std::ranges::find(kOthers, operatorName(maker.target.view()).name) != kOthers.end();
}

ValueId OperatorCalls::primitive(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call, TermId target)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const CallRole role = roleOf(node, facts, call);
    if (asksHistory(node, call))
        return m_draft.unknown({frame.graph, id}, "it queries the identity or the version counter of a value");
    CallFacts does = role == CallRole::query ? CallFacts() : factsOf(facts, call);
    if (role == CallRole::query) // queries of shapes, which getattr can make as well, do not depend on the layout
        does.seesLayout = facts.role == role && facts.mayDo(FactKind::seesLayout);
    if (does.converts)
        m_descriptions.settle(frame, node, call, does);
    if (m_writes.changesContainer(node, facts, does, call)) {
        m_draft.trace.changesContainer = m_draft.trace.changesContainer || !m_draft.trace.undecided;
        return m_draft.unknown({frame.graph, id}, "it modifies a list, tuple, or dict in place");
    }
    if (role == CallRole::query) // the size of an input is the symbol from the export
        if (const TermId symbol = sizeOfInput(node, call); symbol.isValid())
            return m_draft.constant(symbol);
    const ValueId itself = does.result == ResultMemory::is ? call.slot(does.shared.front()) : ValueId();
    const bool returnsArgument = itself.isValid() && m_draft.at(itself).kind == ValueKind::leaf;
    if (returnsArgument && does.written.empty() && !does.random && role == CallRole::function && !node.meta.mutated
        && !mayBeNoTensor(frame, node, does.shared.front()))
        return itself;

    std::vector<ValueId> written;
    std::vector<ValueId> marked;
    m_writes.collectWrites(does, call, written);
    m_writes.collectMarked(frame, node, call, marked);
    const ValueId result = returnsArgument ? itself : m_draft.leaf({});
    const bool keepsNone = facts.known && does.shared.empty() && role != CallRole::getItem;
    const std::uint32_t index = m_steps.pushStep(frame, id, target, call, result,
                                                 keepsNone ? StepWriter::Keeping::none : StepWriter::Keeping::possible);
    Step& step = m_draft.trace.steps[index];
    const bool opaque = !facts.known && !m_draft.context.assumePure;
    step.role = opaque || role == CallRole::stir ? CallRole::effect : role;
    step.written = m_draft.pool(written);
    step.marked = m_draft.pool(marked);
    describeStep(frame, node, facts, does, call, step);
    step.readsLayout = readsLayout(role, does, does.ignoresRealLayout && FileDescriptions::givesReal(frame, node));
    if (!returnsArgument)
        aliasResult(frame, node, facts, does, call, step);
    written.insert(written.end(), marked.begin(), marked.end());
    const bool handsOn = facts.isPython && does.result == ResultMemory::maybe;
    m_memory.followWrites(index, does, call, written, m_descriptions.mayResize(frame, node, does, call), !facts.known || handsOn);
    if (node.meta.val)
        m_memory.alignWith(frame, result, *node.meta.val,
                           returnsArgument ? TraceMemory::Alignment::distrust : TraceMemory::Alignment::merge);
    if (!facts.known)
        m_steps.noteUnknown(node.op, facts.writesCopies ? calledOperator(node) : node.target);
    return result;
}

bool isCond(const Node& node)
{
    return node.target.view() == "torch.ops.higher_order.cond";
}

} // namespace sunder
