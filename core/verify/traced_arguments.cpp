#include "verify/traced_arguments.h"

namespace sunder {

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
