#include "verify/trace_containers.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::uint16_t kMaxContainerDepth = 400;

} // namespace

ValueId TraceContainers::container(TermId shape, std::span<const ValueId> items)
{
    std::uint16_t depth = 0;
    for (const ValueId item : items)
        depth = std::max(depth, m_draft.at(item).depth);
    if (depth >= kMaxContainerDepth)
        return m_draft.unknown({}, "containers are nested more than 400 deep");
    const Operands pooled = m_draft.pool(items);
    return m_draft.add({.kind = ValueKind::container,
                        .depth = static_cast<std::uint16_t>(depth + 1),
                        .term = shape,
                        .firstItem = pooled.first,
                        .itemCount = pooled.count});
}

TermId TraceContainers::shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys)
{
    return m_draft.terms.make({.kind = TermKind::shape, .detail = static_cast<std::uint8_t>(kind), .head = cls.id()}, keys);
}

std::optional<ValueId> TraceContainers::itemOf(const Value& value, const Value& key)
{
    const Term shape = m_draft.terms[value.term];
    const auto kind = static_cast<ArgumentKind>(shape.detail);
    const std::span<const ValueId> items = m_draft.trace.items(value);
    if (key.kind == ValueKind::container)
        return sliceOf(value, key);
    if (key.kind != ValueKind::constant)
        return std::nullopt;
    if (kind == ArgumentKind::dict) {
        const std::span<const TermId> keys = m_draft.terms.children(value.term);
        for (std::size_t i = keys.size(); i-- > 0;) // of equal keys the last one counts
            if (keys[i] == key.term)
                return items[i];
        return std::nullopt;
    }
    const Term& index = m_draft.terms[key.term];
    const bool sequence = kind == ArgumentKind::list || kind == ArgumentKind::tuple || kind == ArgumentKind::namedTuple;
    if (!sequence || index.kind != TermKind::constant || index.detail != static_cast<std::uint8_t>(ArgumentKind::integer))
        return std::nullopt;
    auto place = static_cast<std::int64_t>(index.bits);
    place += place < 0 ? static_cast<std::int64_t>(items.size()) : 0;
    if (place < 0 || place >= static_cast<std::int64_t>(items.size()))
        return std::nullopt;
    return items[static_cast<std::size_t>(place)];
}

std::optional<ValueId> TraceContainers::sliceOf(const Value& value, const Value& slice)
{
    const auto kind = static_cast<ArgumentKind>(m_draft.terms[value.term].detail);
    if (static_cast<ArgumentKind>(m_draft.terms[slice.term].detail) != ArgumentKind::slice
        || (kind != ArgumentKind::list && kind != ArgumentKind::tuple))
        return std::nullopt;
    const auto size = static_cast<std::int64_t>(value.itemCount);
    std::array<std::int64_t, 3> bounds{0, size, 1};
    const std::span<const ValueId> given = m_draft.trace.items(slice);
    for (std::size_t i = 0; i < 3; ++i) {
        const Value& bound = m_draft.at(given[i]);
        const Term& term = m_draft.terms[bound.term.isValid() ? bound.term : TermTable::nothing()];
        if (bound.kind != ValueKind::constant || term.kind != TermKind::constant)
            return std::nullopt;
        if (term.detail == static_cast<std::uint8_t>(ArgumentKind::none))
            continue;
        if (term.detail != static_cast<std::uint8_t>(ArgumentKind::integer))
            return std::nullopt;
        auto number = static_cast<std::int64_t>(term.bits);
        if (i < 2)
            number = std::clamp<std::int64_t>(number < 0 ? std::max<std::int64_t>(number, -size) + size : number, 0, size);
        bounds[i] = number;
    }
    if (bounds[2] <= 0)
        return std::nullopt;
    std::vector<ValueId> items;
    for (std::int64_t i = bounds[0]; i < bounds[1]; i += std::min(bounds[2], size + 1))
        items.push_back(m_draft.trace.items(value)[static_cast<std::size_t>(i)]);
    return container(value.term, items);
}

bool TraceContainers::isPlainIndex(ValueId key) const
{
    const Value& value = m_draft.at(key);
    if (value.kind == ValueKind::constant) {
        const auto kind = static_cast<ArgumentKind>(m_draft.termOf(value).detail);
        return m_draft.termOf(value).kind == TermKind::constant
            && (kind == ArgumentKind::integer || kind == ArgumentKind::none || kind == ArgumentKind::ellipsis
                || kind == ArgumentKind::string);
    }
    if (value.kind != ValueKind::container)
        return false;
    const auto kind = static_cast<ArgumentKind>(m_draft.termOf(value).detail);
    if (kind != ArgumentKind::tuple && kind != ArgumentKind::slice)
        return false;
    for (const ValueId item : m_draft.trace.items(value))
        if (!isPlainIndex(item))
            return false;
    return true;
}

std::optional<ValueId> TraceContainers::pythonContainer(std::string_view name, const TracedCall& call)
{
    if (name == "dict") {
        std::vector<TermId> keys;
        std::vector<ValueId> items;
        for (const auto& [key, value] : call.keywords) {
            keys.push_back(m_draft.terms.text(key));
            items.push_back(value);
        }
        if (!call.positional.empty())
            return std::nullopt;
        return container(shapeOf(ArgumentKind::dict, {}, keys), items);
    }
    const ArgumentKind kind = name == "list" ? ArgumentKind::list : ArgumentKind::tuple;
    if (call.positional.empty() && call.keywords.empty())
        return container(shapeOf(kind, {}), {});
    if (call.positional.size() != 1 || !call.keywords.empty() || m_draft.at(call.positional[0]).kind != ValueKind::container)
        return std::nullopt;
    const Value value = m_draft.at(call.positional[0]);
    const auto given = static_cast<ArgumentKind>(m_draft.termOf(value).detail);
    if (given != ArgumentKind::list && given != ArgumentKind::tuple && given != ArgumentKind::namedTuple)
        return std::nullopt;
    const std::vector<ValueId> items(m_draft.trace.items(value).begin(), m_draft.trace.items(value).end());
    return container(shapeOf(kind, {}), items);
}

} // namespace sunder
