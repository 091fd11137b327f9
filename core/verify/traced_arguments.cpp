#include "verify/traced_arguments.h"

#include "ir/module_tree.h"
#include "operators/literal_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::string_view kTreeSpecClass = "torch.utils._pytree.TreeSpec";

} // namespace

void CallCanonicalizer::sortKeywords(TracedCall& call)
{
    call.isSorted = true;
    if (call.keywords.size() > 1)
        std::ranges::sort(call.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });
}

ValueId CallCanonicalizer::valueOf(const Argument& literal)
{
    if (!literal.is(ArgumentKind::list))
        return m_draft.constant(m_draft.terms.literal(literal));
    std::vector<ValueId> items;
    for (const Argument& item : literal.items())
        items.push_back(valueOf(item));
    return m_containers.container(m_containers.shapeOf(ArgumentKind::list, {}), items);
}

const CallCanonicalizer::Form& CallCanonicalizer::formOf(const OperatorSchema& schema)
{
    const auto [found, isNew] = m_forms.try_emplace(&schema);
    Form& form = found->second;
    if (!isNew)
        return form;
    form.positional = schema.positionalCount();
    for (const SchemaArgument& argument : schema.arguments) {
        const std::optional<Argument> literal = defaultOf(argument);
        form.defaults.push_back(literal ? valueOf(*literal) : ValueId());
    }
    for (std::size_t i = form.positional; i < schema.arguments.size(); ++i)
        form.named.push_back(static_cast<std::uint16_t>(i));
    std::ranges::sort(form.named, {}, [&](std::uint16_t i) { return schema.arguments[i].name.view(); });
    return form;
}

/// Assigns the arguments of a call to m_places. Returns false if the schema rejects the call or an argument is unknown.
bool CallCanonicalizer::place(const TracedCall& call, const OperatorSchema& schema, const Form& form)
{
    if (call.positional.size() > form.positional)
        return false;
    m_places.assign(schema.arguments.size(), ValueId());
    std::ranges::copy(call.positional, m_places.begin());
    for (const auto& [name, value] : call.keywords) {
        const std::optional<std::size_t> at = schema.find(name);
        if (!at || m_places[*at].isValid())
            return false;
        m_places[*at] = value;
    }
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (!m_places[i].isValid())
            m_places[i] = form.defaults[i];
    return std::ranges::all_of(m_places, &ValueId::isValid);
}

bool CallCanonicalizer::isSame(ValueId given, ValueId other) const
{
    if (given == other || !other.isValid())
        return given == other;
    const Value& one = m_draft.at(given);
    const Value& two = m_draft.at(other);
    const std::span<const ValueId> items = m_draft.trace.items(one);
    const std::span<const ValueId> others = m_draft.trace.items(two);
    return one.kind == two.kind && one.kind != ValueKind::leaf && one.term == two.term
        && std::ranges::equal(items, others, [&](ValueId item, ValueId of) { return isSame(item, of); });
}

void CallCanonicalizer::spell(TracedCall& call, const OperatorFacts& facts)
{
    const OperatorSchema* const schema = facts.known && !facts.isPython ? facts.schema() : nullptr;
    const Form* const form = schema != nullptr && !schema->takesMore ? &formOf(*schema) : nullptr;
    call.stated = call.positional.size() + call.keywords.size();
    if (form == nullptr || !place(call, *schema, *form)) {
        if (!facts.ordersKeywords)
            sortKeywords(call);
        return;
    }
    call.positional.assign(m_places.begin(), m_places.begin() + static_cast<std::ptrdiff_t>(form->positional));
    call.keywords.clear();
    call.isSorted = true;
    call.stated = 0;
    for (std::size_t i = 0; i < form->positional; ++i)
        call.stated = isSame(m_places[i], form->defaults[i]) ? call.stated : i + 1;
    for (const std::uint16_t i : form->named) {
        call.keywords.emplace_back(schema->arguments[i].name, m_places[i]);
        if (!isSame(m_places[i], form->defaults[i]))
            call.stated = form->positional + call.keywords.size();
    }
}

TracedAttributes::TracedAttributes(TraceDraft& draft) : m_draft(draft), m_tensors(draft.program.tensors.size())
{
    const TensorTable& tensors = draft.program.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const InternedString name = tensors[TensorId(i)].fqn;
        const TensorId found = tensors.find(name); // there is none for an empty name
        if (!found.isValid() || tensors.object(found) != tensors.object(TensorId(i)))
            m_ambiguous.insert(name);
    }
}

ValueId TracedAttributes::tensor(TensorId id)
{
    const TensorId object = m_draft.program.tensors.object(id);
    ValueId& known = m_tensors[object.index()];
    if (known.isValid())
        return known;
    SymbolMapping& same = m_draft.context.mapping;
    const TermId term = same.tensor(m_draft.side, object);
    std::uint32_t region = 0;
    if (m_draft.context.followMemory) {
        const bool isKnown = same.hasKnownStorages(m_draft.side);
        const auto [place, isNew] = m_storages.emplace(isKnown ? same.storage(m_draft.side, object) : kSeveralRegions, 0);
        if (isNew)
            place->second = m_draft.trace.regions.add(0);
        region = place->second;
        if (!isKnown)
            m_draft.trace.unknownMemory = region;
    }
    known = m_draft.add({.kind = ValueKind::leaf, .term = term, .region = region});
    m_draft.trace.roots.push_back(known);
    return known;
}

ValueId TracedAttributes::attribute(TraceFrame& frame, NodeId id)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const std::string_view owner = m_draft.program.modules[frame.module].path.view();
    if (const TensorId found = m_draft.program.tensorAt(internPath(owner, node.target.view())); found.isValid()) {
        if (m_ambiguous.contains(m_draft.program.tensors[found].fqn))
            return m_draft.unknown({frame.graph, id}, "two tensors are named " + m_draft.program.tensors[found].fqn.str());
        return tensor(found);
    }
    if (const ModuleId module = findModule(frame.module, node.target); module.isValid()) {
        const Module& found = m_draft.program.modules[module];
        if (found.graph.isValid())
            return m_draft.add({.kind = ValueKind::graph, .reference = found.graph.index(), .module = module});
        return m_draft.leaf(m_draft.terms.make({.kind = TermKind::module, .head = found.cls.id()},
                                               {m_draft.terms.text(m_draft.context.mapping.modulePath(m_draft.side, module))}));
    }
    if (node.meta.val && node.meta.val->is(ArgumentKind::opaque) && node.meta.val->className().view() == kTreeSpecClass) {
        const TermId text = m_draft.terms.literal(*node.meta.val);
        std::optional<TreeSpec> spec = TreeSpec::parse(node.meta.val->text().view());
        if (spec && !spec->isKnown())
            spec.reset();
        m_specs.try_emplace(text.index(), std::move(spec));
        return m_draft.constant(text);
    }
    const std::string path = joinPath(m_draft.program.modules[frame.module].path.view(), node.target.view());
    const InternedString known = m_draft.context.mapping.attributePath(m_draft.side, path);
    m_draft.terms.learn(known);
    return m_draft.leaf(m_draft.terms.make({.kind = TermKind::attribute, .head = known.id()}));
}

ModuleId TracedAttributes::findModule(ModuleId module, InternedString target) const
{
    return m_draft.program.modules.resolve(joinPath(m_draft.program.modules[module].path.view(), target.view()));
}

const TreeSpec* TracedAttributes::treeSpec(ValueId id) const
{
    if (!id.isValid() || m_draft.at(id).kind != ValueKind::constant)
        return nullptr;
    const auto found = m_specs.find(m_draft.at(id).term.index());
    return found != m_specs.end() && found->second ? &*found->second : nullptr;
}

ValueId TracedArguments::valueOf(TraceFrame& frame, const Argument& argument)
{
    switch (argument.kind()) {
    case ArgumentKind::node: {
        const ValueId value = frame.values[argument.asNode().index()];
        return value.isValid() ? value
                               : m_draft.unknown({frame.graph, argument.asNode()}, "a node is used before it is computed");
    }
    case ArgumentKind::graph: {
        const ModuleId owner = m_draft.program.owners[argument.asGraph().index()];
        return m_draft.add({.kind = ValueKind::graph,
                            .reference = argument.asGraph().index(),
                            .module = owner.isValid() ? owner : frame.module});
    }
    case ArgumentKind::constant:
    case ArgumentKind::object: {
        const TensorId found = m_draft.program.tensors.find(argument.text());
        if (found.isValid())
            return m_attributes.tensor(found);
        const InternedString path = m_draft.context.mapping.attributePath(m_draft.side, argument.text().view());
        m_draft.terms.learn(path);
        return m_draft.leaf(m_draft.terms.make({.kind = TermKind::attribute, .head = path.id()}));
    }
    case ArgumentKind::symbolic: return m_draft.constant(m_draft.context.mapping.symbol(m_draft.side, argument));
    case ArgumentKind::tensor:
        return m_draft.unknown({frame.graph, {}}, "an argument is the description of a tensor, not a tensor");
    default: break;
    }
    return argument.isCompound() ? containerOf(frame, argument) : m_draft.constant(m_draft.terms.literal(argument));
}

ValueId TracedArguments::containerOf(TraceFrame& frame, const Argument& argument)
{
    std::vector<ValueId> items;
    std::vector<TermId> keys;
    items.reserve(argument.items().size());
    for (const Argument& item : argument.items())
        items.push_back(valueOf(frame, item));
    InternedString cls;
    if (argument.is(ArgumentKind::namedTuple)) {
        cls = argument.className();
        for (const InternedString field : argument.fields())
            keys.push_back(m_draft.terms.text(field));
    }
    for (const Argument& key : argument.keys()) {
        if (key.isCompound() || key.holdsNodes())
            return m_draft.unknown({frame.graph, {}}, "a dict has a key that is not a plain constant");
        keys.push_back(m_draft.terms.literal(key));
    }
    return m_containers.container(m_containers.shapeOf(argument.kind(), cls, keys), items);
}

TracedCall TracedArguments::asWritten(TraceFrame& frame, const Node& node)
{
    TracedCall call;
    call.positional.reserve(node.args.size());
    for (const Argument& argument : node.args)
        call.positional.push_back(valueOf(frame, argument));
    for (const Keyword& keyword : node.kwargs)
        call.keywords.emplace_back(keyword.key, valueOf(frame, keyword.value));
    return call;
}

TracedCall TracedArguments::ofModule(TraceFrame& frame, const Node& node)
{
    TracedCall call = asWritten(frame, node);
    CallCanonicalizer::sortKeywords(call);
    return call;
}

TracedCall TracedArguments::ofFunction(TraceFrame& frame, const Node& node, const OperatorFacts& facts)
{
    TracedCall call = asWritten(frame, node);
    m_spelling.spell(call, facts);
    return call;
}

} // namespace sunder
