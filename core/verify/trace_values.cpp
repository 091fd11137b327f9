// Values of a trace: literals, containers, what is inside of them, and where leaves lie in memory.
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint16_t kMaxContainerDepth = 400;
constexpr int kMostValLevels = 100;

} // namespace

ValueId TraceBuilder::add(Value value)
{
    m_trace.values.push_back(value);
    return ValueId(m_trace.values.size() - 1);
}

Operands TraceBuilder::pool(std::span<const ValueId> values)
{
    const auto first = static_cast<std::uint32_t>(m_trace.operands.size());
    m_trace.operands.insert(m_trace.operands.end(), values.begin(), values.end());
    return {first, static_cast<std::uint32_t>(values.size())};
}

void TraceBuilder::giveUp(NodeRef node, std::string why)
{
    if (!m_trace.undecided)
        m_trace.undecided.emplace(node, std::move(why));
}

ValueId TraceBuilder::unknown(NodeRef node, std::string why)
{
    giveUp(node, std::move(why));
    return leaf(
        m_terms.make({.kind = TermKind::unmatched, .detail = static_cast<std::uint8_t>(m_side), .bits = m_trace.values.size()}));
}

ValueId TraceBuilder::leaf(TermId term)
{
    return add({.kind = ValueKind::leaf, .term = term, .region = m_context.followMemory ? m_trace.regions.add(m_closures) : 0});
}

ValueId TraceBuilder::constant(TermId term)
{
    return add({.kind = ValueKind::constant, .term = term});
}

ValueId TraceBuilder::container(TermId shape, std::span<const ValueId> items)
{
    std::uint16_t depth = 0;
    for (const ValueId item : items)
        depth = std::max(depth, at(item).depth);
    if (depth >= kMaxContainerDepth)
        return unknown({}, "containers are nested more than 400 deep");
    const Operands pooled = pool(items);
    return add({.kind = ValueKind::container,
                .depth = static_cast<std::uint16_t>(depth + 1),
                .term = shape,
                .firstItem = pooled.first,
                .itemCount = pooled.count});
}

TermId TraceBuilder::shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys)
{
    return m_terms.make({.kind = TermKind::shape, .detail = static_cast<std::uint8_t>(kind), .head = cls.id()}, keys);
}

ValueId TraceBuilder::valueOf(Frame& frame, const Argument& argument)
{
    switch (argument.kind()) {
    case ArgumentKind::node: {
        const ValueId value = frame.values[argument.asNode().index()];
        return value.isValid() ? value : unknown({frame.graph, argument.asNode()}, "a node is used before it is computed");
    }
    case ArgumentKind::graph: {
        const ModuleId owner = m_program.owners[argument.asGraph().index()];
        return add({.kind = ValueKind::graph,
                    .reference = argument.asGraph().index(),
                    .module = owner.isValid() ? owner : frame.module});
    }
    case ArgumentKind::constant:
    case ArgumentKind::object: {
        const TensorId found = m_program.tensors.find(argument.text());
        if (found.isValid())
            return tensor(found);
        const InternedString path = m_context.correspondence.attributePath(m_side, argument.text().view());
        m_terms.learn(path);
        return leaf(m_terms.make({.kind = TermKind::attribute, .head = path.id()}));
    }
    case ArgumentKind::symbolic: return constant(m_context.correspondence.symbol(m_side, argument));
    case ArgumentKind::tensor: return unknown({frame.graph, {}}, "a tensor's description stands among the arguments");
    default: break;
    }
    return argument.isCompound() ? containerOf(frame, argument) : constant(m_terms.literal(argument));
}

ValueId TraceBuilder::containerOf(Frame& frame, const Argument& argument)
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
            keys.push_back(m_terms.text(field));
    }
    for (const Argument& key : argument.keys()) {
        if (key.isCompound() || key.holdsNodes())
            return unknown({frame.graph, {}}, "a dict has a key that is no simple constant");
        keys.push_back(m_terms.literal(key));
    }
    return container(shapeOf(argument.kind(), cls, keys), items);
}

std::optional<ValueId> TraceBuilder::itemOf(const Value& value, const Value& key)
{
    const Term shape = m_terms[value.term];
    const auto kind = static_cast<ArgumentKind>(shape.detail);
    const std::span<const ValueId> items = m_trace.items(value);
    if (key.kind == ValueKind::container)
        return sliceOf(value, key);
    if (key.kind != ValueKind::constant)
        return std::nullopt;
    if (kind == ArgumentKind::dict) {
        const std::span<const TermId> keys = m_terms.children(value.term);
        for (std::size_t i = keys.size(); i-- > 0;) // of equal keys the last one counts
            if (keys[i] == key.term)
                return items[i];
        return std::nullopt;
    }
    const Term& index = m_terms[key.term];
    const bool sequence = kind == ArgumentKind::list || kind == ArgumentKind::tuple || kind == ArgumentKind::namedTuple;
    if (!sequence || index.kind != TermKind::constant || index.detail != static_cast<std::uint8_t>(ArgumentKind::integer))
        return std::nullopt;
    auto place = static_cast<std::int64_t>(index.bits);
    place += place < 0 ? static_cast<std::int64_t>(items.size()) : 0;
    if (place < 0 || place >= static_cast<std::int64_t>(items.size()))
        return std::nullopt;
    return items[static_cast<std::size_t>(place)];
}

std::optional<ValueId> TraceBuilder::sliceOf(const Value& value, const Value& slice)
{
    const auto kind = static_cast<ArgumentKind>(m_terms[value.term].detail);
    if (static_cast<ArgumentKind>(m_terms[slice.term].detail) != ArgumentKind::slice
        || (kind != ArgumentKind::list && kind != ArgumentKind::tuple))
        return std::nullopt;
    const auto size = static_cast<std::int64_t>(value.itemCount);
    std::array<std::int64_t, 3> bounds{0, size, 1};
    const std::span<const ValueId> given = m_trace.items(slice);
    for (std::size_t i = 0; i < 3; ++i) {
        const Value& bound = at(given[i]);
        const Term& term = m_terms[bound.term.isValid() ? bound.term : TermTable::nothing()];
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
        items.push_back(m_trace.items(value)[static_cast<std::size_t>(i)]);
    return container(value.term, items);
}

bool TraceBuilder::isPlainIndex(ValueId key) const
{
    const Value& value = at(key);
    if (value.kind == ValueKind::constant) {
        const auto kind = static_cast<ArgumentKind>(termOf(value).detail);
        return termOf(value).kind == TermKind::constant
            && (kind == ArgumentKind::integer || kind == ArgumentKind::none || kind == ArgumentKind::ellipsis
                || kind == ArgumentKind::string);
    }
    if (value.kind != ValueKind::container)
        return false;
    const auto kind = static_cast<ArgumentKind>(termOf(value).detail);
    if (kind != ArgumentKind::tuple && kind != ArgumentKind::slice)
        return false;
    for (const ValueId item : m_trace.items(value))
        if (!isPlainIndex(item))
            return false;
    return true;
}

bool TraceBuilder::indexCopies(const Frame& frame, const Node& getItem) const
{
    if (getItem.args.size() != 2)
        return false;
    // A tensor of no dimensions selects, as a number does; PyTorch took a list that holds more than numbers for a tuple.
    const auto isNumber = [](const Argument& item) { return item.is(ArgumentKind::integer) || item.is(ArgumentKind::boolean); };
    const auto isVector = [&](const Argument& item) {
        if (!item.is(ArgumentKind::node))
            return false;
        const std::optional<Argument>& val = m_program.graph(frame.graph).node(item.asNode()).meta.val;
        return val && val->is(ArgumentKind::tensor) && !val->asTensor().shape.empty();
    };
    const Argument& index = getItem.args[1];
    if (index.is(ArgumentKind::list))
        return std::ranges::all_of(index.items(), isNumber);
    if (index.is(ArgumentKind::tuple))
        return std::ranges::any_of(index.items(),
                                   [&](const Argument& item) { return item.is(ArgumentKind::list) || isVector(item); });
    return isVector(index);
}

std::optional<ValueId> TraceBuilder::pythonContainer(std::string_view name, const Call& call)
{
    if (name == "dict") {
        std::vector<TermId> keys;
        std::vector<ValueId> items;
        for (const auto& [key, value] : call.keywords) {
            keys.push_back(m_terms.text(key));
            items.push_back(value);
        }
        if (!call.positional.empty())
            return std::nullopt;
        return container(shapeOf(ArgumentKind::dict, {}, keys), items);
    }
    const ArgumentKind kind = name == "list" ? ArgumentKind::list : ArgumentKind::tuple;
    if (call.positional.empty() && call.keywords.empty())
        return container(shapeOf(kind, {}), {});
    if (call.positional.size() != 1 || !call.keywords.empty() || at(call.positional[0]).kind != ValueKind::container)
        return std::nullopt;
    const Value value = at(call.positional[0]);
    const auto given = static_cast<ArgumentKind>(termOf(value).detail);
    if (given != ArgumentKind::list && given != ArgumentKind::tuple && given != ArgumentKind::namedTuple)
        return std::nullopt;
    const std::vector<ValueId> items(m_trace.items(value).begin(), m_trace.items(value).end());
    return container(shapeOf(kind, {}), items);
}

void TraceBuilder::collectLeaves(ValueId id, std::vector<ValueId>& leaves) const
{
    if (at(id).kind == ValueKind::leaf) {
        leaves.push_back(id);
        return;
    }
    std::unordered_set<ValueId> seen;
    collectLeaves(id, leaves, seen);
}

/// A container may hold another one many times, and that again: each is looked into once.
void TraceBuilder::collectLeaves(ValueId id, std::vector<ValueId>& leaves, std::unordered_set<ValueId>& seen) const
{
    const Value& value = at(id);
    ++m_steps;
    if (value.kind == ValueKind::leaf)
        leaves.push_back(id);
    else if (value.kind == ValueKind::container && (value.depth < 2 || seen.insert(id).second)
             && m_steps <= m_context.options.maxSteps)
        for (const ValueId item : m_trace.items(value))
            collectLeaves(item, leaves, seen);
}

void TraceBuilder::alignKnown(Frame& frame, NodeId id, ValueId value)
{
    if (const std::optional<Argument>& val = m_program.graph(frame.graph).node(id).meta.val)
        alignWith(frame, value, *val, Alignment::distrust);
}

void TraceBuilder::alignWith(Frame& frame, ValueId id, const Argument& val, Alignment how, int depth)
{
    if (!m_context.followMemory || depth > kMostValLevels)
        return;
    const Value value = at(id);
    if (value.kind == ValueKind::container && val.items().size() == value.itemCount) {
        for (std::size_t i = 0; i < value.itemCount; ++i)
            alignWith(frame, m_trace.items(value)[i], val.items()[i], how, depth + 1);
        return;
    }
    if (value.kind != ValueKind::leaf)
        return;
    if (val.is(ArgumentKind::tensor) && !val.asTensor().storage.empty()) {
        const auto [place, isNew] = frame.storages.emplace(val.asTensor().storage, value.region);
        const bool isOther = !isNew && place->second != kSeveral
            && m_trace.regions.find(place->second) != m_trace.regions.find(value.region);
        if (isOther && how == Alignment::merge)
            m_trace.regions.merge(place->second, value.region);
        else if (isOther && how == Alignment::distrust)
            place->second = kSeveral;
    }
    for (const Argument& item : val.items())
        alignWith(frame, id, item, how, depth + 1);
}

} // namespace sunder
