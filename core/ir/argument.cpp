#include "ir/argument.h"

#include "ir/tensor_meta.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace sunder {

/// The contents of a dict or a named tuple.
struct Argument::Keyed {
    Arguments items;
    Arguments keys;
    std::vector<InternedString> fields;
    InternedString cls;
    friend bool operator==(const Keyed&, const Keyed&) = default;
};

struct Argument::Complex {
    double real;
    double imaginary;
};

struct Argument::Named {
    InternedString text;
    InternedString cls;
};

template <typename T>
struct Argument::Box : SharedCount {
    explicit Box(T given) : value(std::move(given)) {}
    const T value;
};

Argument::Argument(ArgumentKind kind, const SharedCount* shared, bool holdsNodes)
    : m_kind(kind), m_holdsNodes(holdsNodes), m_isShared(shared != nullptr)
{
    m_payload.shared = shared;
}

template <typename T>
Argument Argument::boxed(ArgumentKind kind, T value)
{
    return {kind, new Box<T>(std::move(value))};
}

template <typename T>
const T& Argument::unboxed() const
{
    return static_cast<const Box<T>*>(m_payload.shared)->value;
}

void Argument::destroy()
{
    switch (m_kind) {
    case ArgumentKind::complex: delete static_cast<const Box<Complex>*>(m_payload.shared); break;
    case ArgumentKind::object:
    case ArgumentKind::opaque: delete static_cast<const Box<Named>*>(m_payload.shared); break;
    case ArgumentKind::symbolic: delete static_cast<const Box<SymbolicValue>*>(m_payload.shared); break;
    case ArgumentKind::tensor: delete static_cast<const Box<TensorMeta>*>(m_payload.shared); break;
    case ArgumentKind::dict:
    case ArgumentKind::namedTuple: delete static_cast<const Box<Keyed>*>(m_payload.shared); break;
    default: Arguments::destroyBlock(m_payload.shared);
    }
}

void Argument::failKind()
{
    throw std::logic_error("an Argument is not of the requested kind");
}

Argument Argument::boolean(bool value)
{
    Argument made(ArgumentKind::boolean);
    made.m_payload.boolean = value;
    return made;
}

Argument Argument::floating(double value)
{
    Argument made(ArgumentKind::floating);
    made.m_payload.floating = value;
    return made;
}

Argument Argument::graph(GraphId id)
{
    Argument made(ArgumentKind::graph);
    made.m_payload.index = id.index();
    return made;
}

Argument Argument::word(ArgumentKind kind, InternedString text)
{
    Argument made(kind);
    made.m_payload.text = text;
    return made;
}

Argument Argument::string(InternedString value)
{
    return word(ArgumentKind::string, value);
}
Argument Argument::ellipsis()
{
    return Argument(ArgumentKind::ellipsis);
}

namespace {

bool anyHoldsNodes(const Arguments& items)
{
    return std::any_of(items.begin(), items.end(), [](const Argument& item) { return item.holdsNodes(); });
}

} // namespace

Argument Argument::sequence(ArgumentKind kind, Arguments items)
{
    const bool holdsNodes = anyHoldsNodes(items);
    return {kind, items.takeBlock(), holdsNodes};
}

Argument Argument::keyed(ArgumentKind kind, Keyed value)
{
    const bool holdsNodes = anyHoldsNodes(value.items);
    return {kind, new Box<Keyed>(std::move(value)), holdsNodes};
}

Argument Argument::list(Arguments items)
{
    return sequence(ArgumentKind::list, std::move(items));
}
Argument Argument::tuple(Arguments items)
{
    return sequence(ArgumentKind::tuple, std::move(items));
}

Argument Argument::dict(Arguments keys, Arguments values)
{
    assert(keys.size() == values.size());
    return keyed(ArgumentKind::dict, {std::move(values), std::move(keys), {}, {}});
}

Argument Argument::namedTuple(InternedString cls, std::vector<InternedString> fields, Arguments values)
{
    assert(fields.size() == values.size());
    return keyed(ArgumentKind::namedTuple, {std::move(values), {}, std::move(fields), cls});
}

Argument Argument::slice(Argument start, Argument stop, Argument step)
{
    return sequence(ArgumentKind::slice, {std::move(start), std::move(stop), std::move(step)});
}

Argument Argument::range(Argument start, Argument stop, Argument step)
{
    return sequence(ArgumentKind::range, {std::move(start), std::move(stop), std::move(step)});
}

Argument Argument::complex(double real, double imaginary)
{
    return boxed(ArgumentKind::complex, Complex{real, imaginary});
}

Argument Argument::object(InternedString fqn, InternedString cls)
{
    return boxed(ArgumentKind::object, Named{fqn, cls});
}

Argument Argument::opaque(InternedString repr, InternedString cls)
{
    return boxed(ArgumentKind::opaque, Named{repr, cls});
}

Argument Argument::symbolic(SymbolicValue value)
{
    return boxed(ArgumentKind::symbolic, value);
}
Argument Argument::tensor(TensorMeta meta)
{
    return boxed(ArgumentKind::tensor, std::move(meta));
}
Argument Argument::tensor(const std::shared_ptr<const TensorMeta>& meta)
{
    return tensor(*meta);
}

std::pair<double, double> Argument::asComplex() const
{
    expect(ArgumentKind::complex);
    return {unboxed<Complex>().real, unboxed<Complex>().imaginary};
}

const SymbolicValue& Argument::asSymbolic() const
{
    expect(ArgumentKind::symbolic);
    return unboxed<SymbolicValue>();
}

const TensorMeta& Argument::asTensor() const
{
    expect(ArgumentKind::tensor);
    return unboxed<TensorMeta>();
}

InternedString Argument::text() const
{
    switch (m_kind) {
    case ArgumentKind::string:
    case ArgumentKind::bigInteger:
    case ArgumentKind::dtype:
    case ArgumentKind::device:
    case ArgumentKind::layout:
    case ArgumentKind::memoryFormat:
    case ArgumentKind::function:
    case ArgumentKind::constant:
    case ArgumentKind::unknown: return m_payload.text;
    case ArgumentKind::object:
    case ArgumentKind::opaque: return unboxed<Named>().text;
    default: failKind();
    }
}

InternedString Argument::className() const
{
    if (isKeyed())
        return unboxed<Keyed>().cls;
    if (hasItems())
        return {};
    if (m_kind != ArgumentKind::object)
        expect(ArgumentKind::opaque);
    return unboxed<Named>().cls;
}

std::span<const InternedString> Argument::fields() const
{
    if (isKeyed())
        return unboxed<Keyed>().fields;
    if (!hasItems())
        failKind();
    return {};
}

std::span<const Argument> Argument::items() const
{
    if (hasItems())
        return Arguments::itemsOf(isShared() ? m_payload.shared : nullptr);
    return isKeyed() ? std::span<const Argument>(unboxed<Keyed>().items) : std::span<const Argument>();
}

std::span<const Argument> Argument::keys() const
{
    return isKeyed() ? std::span<const Argument>(unboxed<Keyed>().keys) : std::span<const Argument>();
}

Argument Argument::withItems(Arguments newItems) const
{
    assert(isCompound() && items().size() == newItems.size());
    if (!isKeyed())
        return sequence(m_kind, std::move(newItems)).withExtra(m_extra);
    const Keyed& old = unboxed<Keyed>();
    return keyed(m_kind, {std::move(newItems), old.keys, old.fields, old.cls}).withExtra(m_extra);
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

} // namespace

bool operator==(const Argument& a, const Argument& b)
{
    if (a.m_kind != b.m_kind)
        return false;
    if (a.isShared() && b.isShared() && a.m_payload.shared == b.m_payload.shared)
        return true;
    switch (a.m_kind) {
    case ArgumentKind::floating: return sameFloat(a.asFloating(), b.asFloating());
    case ArgumentKind::complex: {
        const auto [ar, ai] = a.asComplex();
        const auto [br, bi] = b.asComplex();
        return sameFloat(ar, br) && sameFloat(ai, bi);
    }
    case ArgumentKind::symbolic:
        return a.asSymbolic().expression == b.asSymbolic().expression && a.asSymbolic().kind == b.asSymbolic().kind;
    case ArgumentKind::tensor: return a.asTensor() == b.asTensor();
    case ArgumentKind::object:
    case ArgumentKind::opaque: return a.text() == b.text() && a.className() == b.className();
    case ArgumentKind::dict:
    case ArgumentKind::namedTuple: return a.unboxed<Argument::Keyed>() == b.unboxed<Argument::Keyed>();
    case ArgumentKind::boolean: return a.asBoolean() == b.asBoolean();
    case ArgumentKind::integer: return a.asInteger() == b.asInteger();
    case ArgumentKind::node:
    case ArgumentKind::graph: return a.m_payload.index == b.m_payload.index;
    case ArgumentKind::none:
    case ArgumentKind::ellipsis: return true;
    default: break;
    }
    return a.hasItems() ? std::ranges::equal(a.items(), b.items()) : a.m_payload.text == b.m_payload.text;
}

} // namespace sunder
