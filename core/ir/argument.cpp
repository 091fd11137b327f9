#include "ir/argument.h"

#include "ir/tensor_meta.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace sunder {

struct Argument::Compound {
    Arguments items;
    Arguments keys;
    std::vector<InternedString> fields;
    InternedString cls;
    friend bool operator==(const Compound&, const Compound&) = default;
};

struct Argument::Complex {
    double real;
    double imaginary;
};

struct Argument::Named {
    InternedString text;
    InternedString cls;
    friend bool operator==(const Named&, const Named&) = default;
};

Argument Argument::boolean(bool value) { return {ArgumentKind::boolean, value}; }
Argument Argument::integer(std::int64_t value) { return {ArgumentKind::integer, value}; }
Argument Argument::floating(double value) { return {ArgumentKind::floating, value}; }
Argument Argument::string(InternedString value) { return {ArgumentKind::string, value}; }
Argument Argument::node(NodeId id) { return {ArgumentKind::node, id, true}; }
Argument Argument::ellipsis() { return {ArgumentKind::ellipsis, {}}; }
Argument Argument::graph(GraphId id) { return {ArgumentKind::graph, id}; }

Argument Argument::compound(ArgumentKind kind, Compound value)
{
    bool holdsNodes = false;
    for (const Argument& item : value.items)
        holdsNodes = holdsNodes || item.m_holdsNodes;
    return {kind, std::make_shared<const Compound>(std::move(value)), holdsNodes};
}

Argument Argument::list(Arguments items) { return compound(ArgumentKind::list, {std::move(items), {}, {}, {}}); }
Argument Argument::tuple(Arguments items) { return compound(ArgumentKind::tuple, {std::move(items), {}, {}, {}}); }

Argument Argument::dict(Arguments keys, Arguments values)
{
    assert(keys.size() == values.size());
    return compound(ArgumentKind::dict, {std::move(values), std::move(keys), {}, {}});
}

Argument Argument::namedTuple(InternedString cls, std::vector<InternedString> fields, Arguments values)
{
    assert(fields.size() == values.size());
    return compound(ArgumentKind::namedTuple, {std::move(values), {}, std::move(fields), cls});
}

Argument Argument::slice(Argument start, Argument stop, Argument step)
{
    return compound(ArgumentKind::slice, {{std::move(start), std::move(stop), std::move(step)}, {}, {}, {}});
}

Argument Argument::range(Argument start, Argument stop, Argument step)
{
    return compound(ArgumentKind::range, {{std::move(start), std::move(stop), std::move(step)}, {}, {}, {}});
}

Argument Argument::complex(double real, double imaginary)
{
    return {ArgumentKind::complex, std::make_shared<const Complex>(Complex{real, imaginary})};
}

Argument Argument::word(ArgumentKind kind, InternedString text) { return {kind, text}; }

Argument Argument::object(InternedString fqn, InternedString cls)
{
    return {ArgumentKind::object, std::make_shared<const Named>(Named{fqn, cls})};
}

Argument Argument::opaque(InternedString repr, InternedString cls)
{
    return {ArgumentKind::opaque, std::make_shared<const Named>(Named{repr, cls})};
}

Argument Argument::symbolic(SymbolicValue value)
{
    return {ArgumentKind::symbolic, std::make_shared<const SymbolicValue>(value)};
}

Argument Argument::tensor(std::shared_ptr<const TensorMeta> meta)
{
    assert(meta);
    return {ArgumentKind::tensor, std::move(meta)};
}

bool Argument::asBoolean() const { return std::get<bool>(m_payload); }
std::int64_t Argument::asInteger() const { return std::get<std::int64_t>(m_payload); }
double Argument::asFloating() const { return std::get<double>(m_payload); }
NodeId Argument::asNode() const { return std::get<NodeId>(m_payload); }
GraphId Argument::asGraph() const { return std::get<GraphId>(m_payload); }

std::pair<double, double> Argument::asComplex() const
{
    const Complex& value = *std::get<std::shared_ptr<const Complex>>(m_payload);
    return {value.real, value.imaginary};
}

const SymbolicValue& Argument::asSymbolic() const
{
    return *std::get<std::shared_ptr<const SymbolicValue>>(m_payload);
}

const TensorMeta& Argument::asTensor() const { return *tensorPointer(); }

const std::shared_ptr<const TensorMeta>& Argument::tensorPointer() const
{
    return std::get<std::shared_ptr<const TensorMeta>>(m_payload);
}

InternedString Argument::text() const
{
    if (const auto* named = std::get_if<std::shared_ptr<const Named>>(&m_payload))
        return (*named)->text;
    return std::get<InternedString>(m_payload);
}

InternedString Argument::className() const
{
    if (const auto* compound = std::get_if<std::shared_ptr<const Compound>>(&m_payload))
        return (*compound)->cls;
    return std::get<std::shared_ptr<const Named>>(m_payload)->cls;
}

std::span<const InternedString> Argument::fields() const
{
    return std::get<std::shared_ptr<const Compound>>(m_payload)->fields;
}

bool Argument::isCompound() const { return std::holds_alternative<std::shared_ptr<const Compound>>(m_payload); }

std::span<const Argument> Argument::items() const
{
    const auto* compound = std::get_if<std::shared_ptr<const Compound>>(&m_payload);
    return compound != nullptr ? std::span<const Argument>((*compound)->items) : std::span<const Argument>();
}

std::span<const Argument> Argument::keys() const
{
    const auto* compound = std::get_if<std::shared_ptr<const Compound>>(&m_payload);
    return compound != nullptr ? std::span<const Argument>((*compound)->keys) : std::span<const Argument>();
}

Argument Argument::withItems(Arguments newItems) const
{
    const Compound& old = *std::get<std::shared_ptr<const Compound>>(m_payload);
    assert(old.items.size() == newItems.size());
    return compound(m_kind, {std::move(newItems), old.keys, old.fields, old.cls}).withExtra(m_extra);
}

Argument Argument::withExtra(InternedString extra) const
{
    Argument copy = *this;
    copy.m_extra = extra;
    return copy;
}

namespace {

bool sameFloat(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

std::size_t mix(std::size_t seed, std::size_t value)
{
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xFF51AFD7ED558CCDULL;
}

std::size_t hashFloat(double value)
{
    return std::isnan(value) ? 0x7ff8 : std::hash<std::uint64_t>{}(std::bit_cast<std::uint64_t>(value));
}

} // namespace

bool operator==(const Argument& a, const Argument& b)
{
    if (a.m_kind != b.m_kind)
        return false;
    switch (a.m_kind) {
    case ArgumentKind::floating: return sameFloat(a.asFloating(), b.asFloating());
    case ArgumentKind::complex: {
        const auto [ar, ai] = a.asComplex();
        const auto [br, bi] = b.asComplex();
        return sameFloat(ar, br) && sameFloat(ai, bi);
    }
    case ArgumentKind::symbolic:
        return a.asSymbolic().expression == b.asSymbolic().expression && a.asSymbolic().kind == b.asSymbolic().kind;
    case ArgumentKind::tensor: return a.tensorPointer() == b.tensorPointer() || a.asTensor() == b.asTensor();
    case ArgumentKind::object:
    case ArgumentKind::opaque: return a.text() == b.text() && a.className() == b.className();
    default: break;
    }
    if (a.isCompound()) {
        const auto& x = std::get<std::shared_ptr<const Argument::Compound>>(a.m_payload);
        const auto& y = std::get<std::shared_ptr<const Argument::Compound>>(b.m_payload);
        return x == y || *x == *y;
    }
    return a.m_payload == b.m_payload;
}

std::size_t hashOf(const Argument& argument)
{
    std::size_t hash = static_cast<std::size_t>(argument.kind()) * 0x9E3779B97F4A7C15ULL;
    switch (argument.kind()) {
    case ArgumentKind::none:
    case ArgumentKind::ellipsis: return hash;
    case ArgumentKind::boolean: return mix(hash, argument.asBoolean() ? 1 : 2);
    case ArgumentKind::integer: return mix(hash, static_cast<std::size_t>(argument.asInteger()));
    case ArgumentKind::floating: return mix(hash, hashFloat(argument.asFloating()));
    case ArgumentKind::complex: {
        const auto [real, imaginary] = argument.asComplex();
        return mix(mix(hash, hashFloat(real)), hashFloat(imaginary));
    }
    case ArgumentKind::node: return mix(hash, argument.asNode().index());
    case ArgumentKind::graph: return mix(hash, argument.asGraph().index());
    case ArgumentKind::symbolic: return mix(hash, argument.asSymbolic().expression.id());
    case ArgumentKind::tensor: {
        hash = mix(hash, argument.asTensor().dtype.id());
        for (const Argument& size : argument.asTensor().shape)
            hash = mix(hash, hashOf(size));
        return hash;
    }
    case ArgumentKind::object:
    case ArgumentKind::opaque: return mix(mix(hash, argument.text().id()), argument.className().id());
    default: break;
    }
    if (!argument.isCompound())
        return mix(hash, argument.text().id());
    for (const Argument& key : argument.keys())
        hash = mix(hash, hashOf(key));
    for (const Argument& item : argument.items())
        hash = mix(hash, hashOf(item));
    return mix(hash, argument.items().size());
}

} // namespace sunder
