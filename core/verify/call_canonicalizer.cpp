#include "verify/call_canonicalizer.h"

#include "operators/literal_text.h"

#include <algorithm>

namespace sunder {

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

} // namespace sunder
