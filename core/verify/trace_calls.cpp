#include "verify/trace_builder.h"

#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "operators/operator_library.h"

#include <algorithm>
#include <array>

namespace sunder {

CallFacts TraceBuilder::factsOf(const OperatorFacts& facts, const TracedCall& call)
{
    const CallFacts& does = m_known.of(facts, BoundArguments(m_draft.trace, m_draft.terms, call));
    if (facts.known || !m_draft.context.assume.pureCalls)
        return does;
    return {.written = {}, .reshaped = {}, .resized = {}, .result = does.result, .shared = does.shared};
}

CallRole TraceBuilder::roleOf(const Node& node, const OperatorFacts& facts, const TracedCall& call) const
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

bool TraceBuilder::queriesHistory(const Node& node, const TracedCall& call) const
{
    static constexpr std::array<std::string_view, 7> kNames{"_version",  "_cdata", "grad_fn", "__dict__",
                                                            "output_nr", "_base",  "_is_view"};
    if (node.target.view() != "getattr" || call.positional.size() < 2)
        return false;
    const TermId name = m_draft.at(call.positional[1]).term;
    return name.isValid() && m_draft.terms[name].detail == static_cast<std::uint8_t>(ArgumentKind::string)
        && std::ranges::find(kNames, m_draft.terms.textOf(name).view()) != kNames.end();
}

TermId TraceBuilder::sizeOfInput(const Node& node, const TracedCall& call) const
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

bool TraceBuilder::mayAskContainer(const TraceFrame& frame, const Node& node, CallRole role, const TracedCall& call) const
{
    if (!m_draft.context.changesContainers || m_draft.context.assume.pureCalls || call.positional.empty()
        || (role != CallRole::getItem && role != CallRole::query) || m_draft.at(call.positional[0]).kind != ValueKind::leaf)
        return false;
    const Argument& asked = node.args.empty() ? Argument() : node.args.front();
    if (!asked.is(ArgumentKind::node))
        return true;
    const std::optional<Argument>& val = m_draft.program.graph(frame.graph).node(asked.asNode()).meta.val;
    return !val || !(val->is(ArgumentKind::tensor) || val->is(ArgumentKind::tuple) || val->is(ArgumentKind::namedTuple));
}

void TraceBuilder::describeStep(TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                const TracedCall& call, Step& step)
{
    const OperatorName name = operatorName(node.target.view());
    bool view = does.result == ResultMemory::view && does.shared.front() == 0;
    const bool mayChange = mayAskContainer(frame, node, step.role, call);
    if (step.role == CallRole::getItem)
        view = !mayChange && call.positional.size() == 2 && m_containers.isPlainIndex(call.positional[1]);
    step.dependsOnUnlistedAttributes = step.dependsOnUnlistedAttributes || mayChange;
    if ((step.role == CallRole::query && !mayChange) || name.name == "_assert_tensor_metadata")
        step.reading = Reading::locations;
    else if (view)
        step.reading = Reading::firstByLocation;
    step.logicalView = view && !does.seesLayout;
    step.failsByForm = step.role == CallRole::getItem ? view : failsByForm(step.role, does);
    step.keepsGradients = does.keepsGradients && call.stated <= call.positional.size();
    step.random = does.random;
    step.opaque = !facts.known && !m_draft.context.assume.pureCalls;
    m_descriptions.describeCopies(frame, node, facts, call, step);
    m_descriptions.layResult(facts, call, step);
    step.detaches = facts.detaches && !call.positional.empty();
    step.wholeState = step.opaque || name.name.starts_with("is_") || name.name.starts_with("get_")
        || name.name.starts_with("are_") || name.name.starts_with("_is_") || name.name.starts_with("_get_");
}

void TraceBuilder::aliasResult(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                               const TracedCall& call, const Step& step)
{
    if (step.role == CallRole::query || step.role == CallRole::assertion)
        return;
    if (facts.role == CallRole::closures) // zero iterations return the arguments; map stacks its results; for cond see closures()
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
    if (!facts.known && m_memory.isStatedSeparate(frame, node))
        return;
    if (facts.newTensor && makesTensor(m_draft.context.operators, m_draft.program.graph(frame.graph), node))
        return;
    m_memory.mergeSlots(does.shared, call, step.result);
}

bool TraceBuilder::mayBeNoTensor(const TraceFrame& frame, const Node& node, std::size_t slot) const
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
    const bool returnsOther = !facts.overloads.empty()
        && std::ranges::any_of(facts.overloads, [](const OperatorOverload& overload) {
               const std::vector<SchemaArgument>& results = overload.schema.results;
               return results.size() > 1 || (results.size() == 1 && results.front().type.view() != "Tensor");
           });
    return facts.role == CallRole::query || (facts.known && returnsOther)
        || std::ranges::find(kOthers, operatorName(maker.target.view()).name) != kOthers.end();
}

ValueId TraceBuilder::primitive(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call, TermId target)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const CallRole role = roleOf(node, facts, call);
    if (queriesHistory(node, call))
        return m_draft.unknown({frame.graph, id}, "it queries the identity or the version counter of a value");
    CallFacts does = role == CallRole::query ? CallFacts() : factsOf(facts, call);
    if (role == CallRole::query) // queries of shapes, which getattr can make as well, do not depend on the layout
        does.seesLayout = facts.role == role && facts.mayDo(FactKind::seesLayout);
    if (does.converts)
        m_descriptions.settle(frame, node, call, does);
    if (m_steps.changesContainer(node, facts, does, call)) {
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
    m_steps.collectWrites(does, call, written);
    m_steps.collectMarked(frame, node, call, marked);
    const ValueId result = returnsArgument ? itself : m_draft.leaf({});
    const bool keepsNone = facts.known && does.shared.empty() && role != CallRole::getItem;
    const std::uint32_t index = m_steps.pushStep(frame, id, target, call, result,
                                                 keepsNone ? StepWriter::Keeping::none : StepWriter::Keeping::possible);
    Step& step = m_draft.trace.steps[index];
    const bool opaque = !facts.known && !m_draft.context.assume.pureCalls;
    step.role = opaque || role == CallRole::stir ? CallRole::effect : role;
    step.written = m_draft.pool(written);
    step.marked = m_draft.pool(marked);
    describeStep(frame, node, facts, does, call, step);
    step.readsLayout = readsLayout(role, does, does.ignoresRealLayout && FileDescriptions::returnsRealTensor(frame, node));
    if (!returnsArgument)
        aliasResult(frame, node, facts, does, call, step);
    written.insert(written.end(), marked.begin(), marked.end());
    const bool mayReturnArgument = facts.isPython && does.result == ResultMemory::maybe;
    m_memory.followWrites(index, does, call, written, m_descriptions.mayResize(frame, node, does, call),
                          !facts.known || mayReturnArgument);
    if (node.meta.val)
        m_memory.alignWith(frame, result, *node.meta.val,
                           returnsArgument ? TraceMemory::Alignment::distrust : TraceMemory::Alignment::merge);
    if (!facts.known)
        m_steps.noteUnknown(node.op, facts.writesCopies ? calledOperator(node) : node.target);
    return result;
}

ValueId TraceBuilder::withEffects(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    if (node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return m_draft.unknown({frame.graph, id}, "the called operator is unknown");
    const InternedString name = node.args[1].text();
    TracedCall inner;
    inner.positional.assign(call.positional.begin() + 2, call.positional.end());
    inner.keywords = call.keywords;
    const OperatorFacts& facts = m_draft.context.operators.of(Op::callFunction, name);
    m_spelling.spell(inner, facts);
    const CallFacts does = factsOf(facts, inner);
    const ValueId result = m_draft.leaf({});
    std::vector<ValueId> written;
    m_steps.collectWrites(does, inner, written);
    const std::uint32_t index = m_steps.pushStep(frame, id, m_draft.functionTarget(name, Op::callFunction), inner, result);
    m_draft.trace.steps[index].role = CallRole::effect;
    m_draft.trace.steps[index].random = does.random;
    m_draft.trace.steps[index].opaque = m_draft.trace.steps[index].wholeState = !facts.known && !m_draft.context.assume.pureCalls;
    m_draft.trace.steps[index].written = m_draft.pool(written);
    if (facts.known || !m_memory.isStatedSeparate(frame, node))
        m_memory.mergeSlots(does.shared, inner, result);
    m_memory.followWrites(index, does, inner, written, m_descriptions.mayResize(frame, node, does, inner), !facts.known);
    if (!facts.known)
        m_steps.noteUnknown(Op::callFunction, name);
    return effectResults(frame, id, call.positional[0], result);
}

ValueId TraceBuilder::effectResults(TraceFrame& frame, NodeId id, ValueId token, ValueId result)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const TermId getItem = m_draft.functionTarget(getitemTarget(), Op::callFunction);
    const std::size_t count = node.meta.val ? node.meta.val->items().size() : 2;
    std::vector<ValueId> items{token};
    if (count == 2)
        items.push_back(result);
    for (std::size_t i = 0; count > 2 && i + 1 < count; ++i) {
        const TracedCall item{{result, m_draft.constant(m_draft.terms.integer(static_cast<std::int64_t>(i)))}, {}};
        const std::uint32_t step = m_steps.pushStep(frame, id, getItem, item, m_draft.leaf({}));
        m_draft.trace.steps[step].role = CallRole::getItem;
        m_draft.trace.steps[step].reading = Reading::firstByLocation;
        m_draft.trace.steps[step].logicalView = true;
        if (m_draft.context.followMemory)
            m_draft.trace.regions.merge(m_draft.at(result).region, m_draft.at(m_draft.trace.steps[step].result).region);
        items.push_back(m_draft.trace.steps[step].result);
    }
    return m_containers.container(m_containers.shapeOf(ArgumentKind::tuple, {}), items);
}

ModuleCallFacts TraceBuilder::moduleFacts(const TraceFrame& frame, const Node& node, ModuleId module, const TracedCall& call)
{
    const BoundArguments given(m_draft.trace, m_draft.terms, call);
    if (m_draft.context.assume.pureCalls) {
        ModuleCallFacts does = m_leaves.of(module, given, MissingAttribute::off);
        if (does.known)
            return does;
        return {
            .call = {
                .written = {}, .reshaped = {}, .resized = {}, .result = does.call.result, .shared = std::move(does.call.shared)}};
    }
    ModuleCallFacts does = m_leaves.of(module, given);
    // A result that does not share memory with its argument was not computed in place.
    if (does.known && does.assumesAttributes && !does.call.written.empty() && m_memory.isStatedSeparate(frame, node))
        does.call.written.clear();
    return does;
}

ValueId TraceBuilder::leafModule(TraceFrame& frame, NodeId id, ModuleId module, const TracedCall& call)
{
    const Module& called = m_draft.program.modules[module];
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const ModuleCallFacts does = moduleFacts(frame, node, module, call);
    const bool changesItself = does.writesBuffers || does.writesParameters;
    const ValueId itself = does.call.result == ResultMemory::is ? call.slot(does.call.shared.front()) : ValueId();
    if (itself.isValid() && does.call.written.empty() && !does.call.random && !changesItself)
        return itself;
    TracedCall whole = call;
    std::vector<ValueId> written;
    std::vector<ValueId> own;
    m_steps.collectWrites(does.call, call, written);
    const std::string_view prefix = called.path.view();
    for (const TensorId id_ : m_draft.context.mapping.tensorsBelow(m_draft.side, module)) {
        const ValueId value = m_attributes.tensor(id_);
        const std::string_view fqn = m_draft.program.tensors[id_].fqn.view();
        whole.keywords.emplace_back(intern(fqn.substr(prefix.size())), value); // ".weight": a keyword cannot contain a dot
        const bool isBuffer = m_draft.program.tensors[m_draft.program.tensors.object(id_)].role == TensorRole::buffer;
        if (isBuffer ? does.writesBuffers : does.writesParameters)
            written.push_back(value);
        own.push_back(value);
    }
    std::ranges::sort(whole.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });

    const bool returnsArgument = itself.isValid() && m_draft.at(itself).kind == ValueKind::leaf;
    const ValueId result = returnsArgument ? itself : m_draft.leaf({});
    const std::uint32_t index = m_steps.pushStep(frame, id, moduleTarget(module), whole, result);
    Step& step = m_draft.trace.steps[index];
    step.opaque = !does.known && !m_draft.context.assume.pureCalls;
    step.role = does.guards ? CallRole::assertion : step.opaque ? CallRole::effect : CallRole::function;
    step.reading = does.guards ? Reading::locations : Reading::contents;
    step.random = does.call.random;
    step.failsByForm = does.call.failsByForm;
    step.wholeState = step.opaque;
    step.readsLayout = readsLayout(CallRole::function, does.call);
    step.dependsOnUnlistedAttributes = does.assumesAttributes;
    step.written = m_draft.pool(written);
    if (m_draft.context.followMemory) {
        if (!returnsArgument)
            m_memory.mergeSlots(does.call.shared, call, result);
        if (does.returnsTensors)
            for (const ValueId value : own)
                m_draft.trace.regions.merge(m_draft.at(value).region, m_draft.at(result).region);
        for (const ValueId value : written)
            m_draft.trace.regions.markWritten(m_draft.at(value).region);
        if (!does.known && !written.empty())
            m_memory.mergeAll(call, written.front());
    }
    if (node.meta.val)
        m_memory.alignWith(frame, result, *node.meta.val,
                           returnsArgument ? TraceMemory::Alignment::distrust : TraceMemory::Alignment::merge);
    noteModule(called, does);
    return result;
}

/// Identifies a module by class and path, and by its attributes if both files list them.
TermId TraceBuilder::moduleTarget(ModuleId module)
{
    const Module& called = m_draft.program.modules[module];
    m_draft.terms.learn(called.cls);
    std::vector<TermId> facts{m_draft.terms.text(m_draft.context.mapping.modulePath(m_draft.side, module))};
    if (m_draft.context.mapping.knowsAttributes(m_draft.side, module))
        for (const ModuleAttribute& attribute : m_leaves.inResult(module)) {
            facts.push_back(m_draft.terms.text(attribute.name));
            facts.push_back(m_draft.terms.literal(attribute.value));
        }
    return m_draft.terms.make({.kind = TermKind::module, .head = called.cls.id()}, facts);
}

void TraceBuilder::noteModule(const Module& module, const ModuleCallFacts& does)
{
    if ((does.known && !does.assumesAttributes) || !m_draft.noteOnce(module.path))
        return;
    const std::string which = "module " + module.path.str() + (module.cls.empty() ? "" : " (class " + module.cls.str() + ")");
    if (!does.known)
        m_draft.trace.notes.push_back(
            which
            + " is unknown: it is assumed to write to and return any tensor that it can reach, to draw random"
              " numbers, and to have side effects");
    else if (!does.call.written.empty() || does.call.random || does.writesBuffers || does.writesParameters)
        m_draft.trace.notes.push_back(which
                                      + " is assumed to do everything that its class can do: the file does not record whether it"
                                        " is in training mode or works in place");
}

} // namespace sunder
