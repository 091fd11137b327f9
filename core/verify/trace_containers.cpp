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
        return m_draft.unknown({}, "containers are nested more than 400 levels deep");
    return m_draft.add(valueOf(shape, items, static_cast<std::uint16_t>(depth + 1)));
}

Value TraceContainers::valueOf(TermId shape, std::span<const ValueId> items, std::uint16_t depth)
{
    if (m_draft.context.changesContainers)
        for (const ValueId item : items)
            if (m_draft.at(item).kind == ValueKind::container)
                m_held.insert(item);
    const Operands pooled = m_draft.pool(items);
    return {.kind = ValueKind::container, .depth = depth, .term = shape, .firstItem = pooled.first, .itemCount = pooled.count};
}

bool TraceContainers::change(ValueId id, TermId shape, std::span<const ValueId> items)
{
    if (!m_draft.context.changesContainers || m_handedOut.contains(id))
        return false;
    // The depth of a nested container must not increase. This rules out containers that contain themselves, and keeps recorded
    // depths valid.
    const std::uint16_t before = m_draft.at(id).depth;
    std::uint16_t depth = before;
    for (const ValueId item : items) {
        if (item == id)
            return false;
        depth = std::max(depth, static_cast<std::uint16_t>(m_draft.at(item).depth + 1));
    }
    if (depth > kMaxContainerDepth || (depth > before && m_held.contains(id)))
        return false;
    m_draft.work += items.size();
    m_draft.trace.values[id.index()] = valueOf(shape, items, depth);
    m_snapshots.clear();
    return true;
}

ValueId TraceContainers::snapshot(ValueId id)
{
    const Value value = m_draft.at(id);
    if (value.kind != ValueKind::container || !m_draft.context.changesContainers)
        return id;
    if (const auto found = m_snapshots.find(id); found != m_snapshots.end())
        return found->second;
    std::vector<ValueId> items(m_draft.trace.items(value).begin(), m_draft.trace.items(value).end());
    for (ValueId& item : items)
        item = snapshot(item);
    m_draft.work += items.size();
    const ValueId made = m_draft.add(valueOf(value.term, items, value.depth));
    m_snapshots.emplace(id, made);
    return made;
}

void TraceContainers::handOut(ValueId id)
{
    const Value& value = m_draft.at(id);
    if (!m_draft.context.changesContainers || value.kind != ValueKind::container || !m_handedOut.insert(id).second)
        return;
    for (const ValueId item : m_draft.trace.items(value))
        handOut(item);
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
        for (std::size_t i = keys.size(); i-- > 0;) // the last of several equal keys wins
            if (keys[i] == key.term)
                return items[i];
        return std::nullopt;
    }
    const std::optional<std::int64_t> index = m_draft.terms.integerOf(key.term);
    const std::optional<std::size_t> place = index && isSequence(kind) ? placeIn(items.size(), *index) : std::nullopt;
    return place ? std::optional(items[*place]) : std::nullopt;
}

bool TraceContainers::lacksItem(const Value& value, const Value& key) const
{
    if (key.kind != ValueKind::constant || !isSimpleKey(key.term))
        return false;
    const auto kind = static_cast<ArgumentKind>(m_draft.termOf(value).detail);
    if (kind == ArgumentKind::dict) {
        const std::span<const TermId> keys = m_draft.terms.children(value.term);
        return std::ranges::all_of(keys, [&](TermId known) { return isSimpleKey(known); })
            && std::ranges::find(keys, key.term) == keys.end();
    }
    const std::optional<std::int64_t> index = m_draft.terms.integerOf(key.term);
    return isSequence(kind) && index && !placeIn(value.itemCount, *index);
}

bool TraceContainers::isSequence(ArgumentKind kind)
{
    return kind == ArgumentKind::list || kind == ArgumentKind::tuple || kind == ArgumentKind::namedTuple;
}

bool TraceContainers::isSimpleKey(TermId key) const
{
    return m_draft.terms.isLiteral(key, ArgumentKind::string) || m_draft.terms.isLiteral(key, ArgumentKind::integer);
}

std::optional<std::size_t> TraceContainers::placeIn(std::size_t count, std::int64_t index)
{
    const auto size = static_cast<std::int64_t>(count);
    if (index < -size || index >= size)
        return std::nullopt;
    return static_cast<std::size_t>(index < 0 ? index + size : index);
}

std::int64_t TraceContainers::boundIn(std::size_t count, std::int64_t index)
{
    const auto size = static_cast<std::int64_t>(count);
    return std::clamp<std::int64_t>(index < 0 ? std::max(index, -size) + size : index, 0, size);
}

std::optional<ValueId> TraceContainers::sliceOf(const Value& value, const Value& slice)
{
    const auto kind = static_cast<ArgumentKind>(m_draft.terms[value.term].detail);
    if (static_cast<ArgumentKind>(m_draft.terms[slice.term].detail) != ArgumentKind::slice
        || (kind != ArgumentKind::list && kind != ArgumentKind::tuple))
        return std::nullopt;
    const std::span<const ValueId> items = m_draft.trace.items(value);
    const auto size = static_cast<std::int64_t>(items.size());
    std::array<std::int64_t, 3> bounds{0, size, 1};
    const std::span<const ValueId> given = m_draft.trace.items(slice);
    for (std::size_t i = 0; i < 3; ++i) {
        const Value& bound = m_draft.at(given[i]);
        if (bound.kind != ValueKind::constant)
            return std::nullopt;
        if (m_draft.terms.isLiteral(bound.term, ArgumentKind::none))
            continue;
        const std::optional<std::int64_t> number = m_draft.terms.integerOf(bound.term);
        if (!number)
            return std::nullopt;
        bounds[i] = i < 2 ? boundIn(items.size(), *number) : *number;
    }
    if (bounds[2] <= 0)
        return std::nullopt;
    std::vector<ValueId> taken;
    for (std::int64_t i = bounds[0]; i < bounds[1]; i += std::min(bounds[2], size + 1))
        taken.push_back(items[static_cast<std::size_t>(i)]);
    return container(value.term, taken);
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

} // namespace sunder
