#pragma once

#include "ir/ids.h"
#include "support/interned_string.h"
#include "support/shared_vector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sunder {

struct TensorMeta;
class Argument;
using Arguments = SharedVector<Argument>;

/// Every kind of value in fx-json (`docs/fx-json.md`, "Values").
enum class ArgumentKind : std::uint8_t {
    none,
    boolean,
    integer,
    floating, ///< including infinities and NaN
    string,
    node,
    list,
    tuple,
    dict,
    namedTuple,
    slice, ///< three items: start, stop, step
    range, ///< three items: start, stop, step
    ellipsis,
    bigInteger, ///< beyond int64; text() is decimal
    complex,
    dtype,        ///< text() without "torch.": "float16"
    device,       ///< text(): "cuda:0"
    layout,       ///< text(): "strided"
    memoryFormat, ///< text(): "contiguous_format"
    function,     ///< text(): qualified name of a callable
    symbolic,
    graph,
    constant, ///< text(): fqn of a tensor constant
    object,   ///< text(): fqn, className(): its class
    opaque,   ///< text(): repr, className(): its class; can be moved, but not modified
    tensor,   ///< only in Node::val
    unknown,  ///< text(): raw JSON of a value kind from a later version; preserved when written
};

enum class SymbolKind : std::uint8_t { integer, floating, boolean };

/// A symbolic size, float, or boolean: an expression and, if known, its value for the example inputs.
struct SymbolicValue {
    InternedString expression; ///< in sympy notation: "2*s0"
    SymbolKind kind = SymbolKind::integer;
    std::variant<std::monostate, std::int64_t, double, bool> hint = {};
    [[nodiscard]] std::optional<std::int64_t> integerHint() const
    {
        const auto* value = std::get_if<std::int64_t>(&hint);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    }
};

/// A value in a node's args or kwargs, in its `val`, or in a signature. 16 bytes, immutable. Copies share larger data, so copying
/// is cheap. Lists and tuples differ, and so do 1, 1.0, and true.
class Argument {
public:
    Argument() = default; ///< none
    Argument(const Argument& other) noexcept;
    Argument(Argument&& other) noexcept;
    Argument& operator=(const Argument& other) noexcept;
    Argument& operator=(Argument&& other) noexcept;
    ~Argument();

    static Argument boolean(bool value);
    static Argument integer(std::int64_t value);
    static Argument floating(double value);
    static Argument string(InternedString value);
    static Argument node(NodeId id);
    static Argument list(Arguments items);
    static Argument tuple(Arguments items);
    /// `keys` and `values` have equal length. Order is kept.
    static Argument dict(Arguments keys, Arguments values);
    /// `fields` and `values` have equal length.
    static Argument namedTuple(InternedString cls, std::vector<InternedString> fields, Arguments values);
    static Argument slice(Argument start, Argument stop, Argument step);
    static Argument range(Argument start, Argument stop, Argument step);
    static Argument ellipsis();
    static Argument complex(double real, double imaginary);
    /// Makes a value of a kind that consists of one text: bigInteger, dtype, device, layout, memoryFormat, function, constant,
    /// unknown.
    static Argument word(ArgumentKind kind, InternedString text);
    static Argument object(InternedString fqn, InternedString cls);
    static Argument opaque(InternedString repr, InternedString cls);
    static Argument symbolic(SymbolicValue value);
    static Argument graph(GraphId id);
    static Argument tensor(TensorMeta meta);
    static Argument tensor(const std::shared_ptr<const TensorMeta>& meta);

    [[nodiscard]] ArgumentKind kind() const { return m_kind; }
    [[nodiscard]] bool is(ArgumentKind kind) const { return m_kind == kind; }
    [[nodiscard]] bool isNone() const { return m_kind == ArgumentKind::none; }

    // Each accessor is valid only for the kinds in its name or comment (std::logic_error otherwise).
    [[nodiscard]] bool asBoolean() const { return expect(ArgumentKind::boolean), m_payload.boolean; }
    [[nodiscard]] std::int64_t asInteger() const { return expect(ArgumentKind::integer), m_payload.integer; }
    [[nodiscard]] double asFloating() const { return expect(ArgumentKind::floating), m_payload.floating; }
    [[nodiscard]] std::pair<double, double> asComplex() const;
    [[nodiscard]] NodeId asNode() const { return expect(ArgumentKind::node), NodeId(m_payload.index); }
    [[nodiscard]] GraphId asGraph() const { return expect(ArgumentKind::graph), GraphId(m_payload.index); }
    [[nodiscard]] const SymbolicValue& asSymbolic() const;
    [[nodiscard]] const TensorMeta& asTensor() const;
    /// For string, bigInteger, dtype, device, layout, memoryFormat, function, constant, object, opaque, and unknown.
    [[nodiscard]] InternedString text() const;
    /// For namedTuple, object, and opaque; empty for the other kinds that have items().
    [[nodiscard]] InternedString className() const;
    /// For namedTuple; empty for the other kinds that have items().
    [[nodiscard]] std::span<const InternedString> fields() const;

    /// Returns the values inside: items of list, tuple, and namedTuple, values of dict, start/stop/step of slice and range. Empty
    /// for all other kinds. This is the traversal order of torch.fx's map_arg.
    [[nodiscard]] std::span<const Argument> items() const;
    /// Returns the keys of a dict; empty otherwise.
    [[nodiscard]] std::span<const Argument> keys() const;
    /// Whether the kind can have items().
    [[nodiscard]] bool isCompound() const;
    /// Returns a compound of the same kind, class, keys, and fields with other items of the same number.
    [[nodiscard]] Argument withItems(Arguments items) const;
    /// Whether the value contains a node at any depth. O(1).
    [[nodiscard]] bool holdsNodes() const { return m_holdsNodes; }
    /// Returns a raw JSON object with unknown keys of the value; empty if there are none. Not compared.
    [[nodiscard]] InternedString extra() const { return m_extra; }
    [[nodiscard]] Argument withExtra(InternedString extra) const;

    /// Compares type and value, deeply. NaN equals NaN.
    friend bool operator==(const Argument& a, const Argument& b);

private:
    struct Keyed;
    struct Complex;
    struct Named;
    template <typename T>
    struct Box;
    /// Interpreted according to the kind. `shared` is a Box, or the block of an Arguments (kinds with hasItems()).
    union Payload {
        Payload() : integer(0) {}
        const SharedCount* shared;
        bool boolean;
        std::int64_t integer;
        double floating;
        InternedString text;
        std::uint32_t index;
    };

    explicit Argument(ArgumentKind kind) : m_kind(kind) {}
    Argument(ArgumentKind kind, const SharedCount* shared, bool holdsNodes = false);
    static Argument sequence(ArgumentKind kind, Arguments items);
    static Argument keyed(ArgumentKind kind, Keyed value);
    template <typename T>
    static Argument boxed(ArgumentKind kind, T value);
    template <typename T>
    [[nodiscard]] const T& unboxed() const;

    /// For list, tuple, slice, and range.
    [[nodiscard]] bool hasItems() const;
    /// For dict and namedTuple.
    [[nodiscard]] bool isKeyed() const;
    /// Whether m_payload.shared is active and not null.
    [[nodiscard]] bool isShared() const { return m_isShared; }
    void expect(ArgumentKind kind) const
    {
        if (m_kind != kind)
            failKind();
    }
    [[noreturn]] static void failKind();
    void destroy();

    Payload m_payload;
    InternedString m_extra;
    ArgumentKind m_kind = ArgumentKind::none;
    bool m_holdsNodes = false;
    bool m_isShared = false;
};

inline Argument::Argument(const Argument& other) noexcept
    : m_payload(other.m_payload), m_extra(other.m_extra), m_kind(other.m_kind), m_holdsNodes(other.m_holdsNodes),
      m_isShared(other.m_isShared)
{
    if (m_isShared)
        m_payload.shared->retain();
}

inline Argument::Argument(Argument&& other) noexcept
    : m_payload(other.m_payload), m_extra(other.m_extra), m_kind(other.m_kind), m_holdsNodes(other.m_holdsNodes),
      m_isShared(std::exchange(other.m_isShared, false))
{
    other.m_kind = ArgumentKind::none;
    other.m_holdsNodes = false;
}

inline Argument::~Argument()
{
    if (m_isShared && m_payload.shared->release())
        destroy();
}

inline Argument& Argument::operator=(Argument&& other) noexcept
{
    std::swap(m_payload, other.m_payload);
    std::swap(m_extra, other.m_extra);
    std::swap(m_kind, other.m_kind);
    std::swap(m_holdsNodes, other.m_holdsNodes);
    std::swap(m_isShared, other.m_isShared);
    return *this;
}

inline Argument& Argument::operator=(const Argument& other) noexcept
{
    return *this = Argument(other);
}

inline bool Argument::hasItems() const
{
    return m_kind == ArgumentKind::list || m_kind == ArgumentKind::tuple || m_kind == ArgumentKind::slice
        || m_kind == ArgumentKind::range;
}

inline bool Argument::isKeyed() const
{
    return m_kind == ArgumentKind::dict || m_kind == ArgumentKind::namedTuple;
}

inline bool Argument::isCompound() const
{
    return hasItems() || isKeyed();
}

inline Argument Argument::node(NodeId id)
{
    Argument made(ArgumentKind::node);
    made.m_payload.index = id.index();
    made.m_holdsNodes = true;
    return made;
}

inline Argument Argument::integer(std::int64_t value)
{
    Argument made(ArgumentKind::integer);
    made.m_payload.integer = value;
    return made;
}

struct Keyword {
    InternedString key;
    Argument value;
    friend bool operator==(const Keyword&, const Keyword&) = default;
};
using Keywords = SharedVector<Keyword>;

/// Calls `visit(NodeId)` for every node in the value, depth first, including repetitions.
template <typename Visit>
void forEachNode(const Argument& argument, const Visit& visit)
{
    if (!argument.holdsNodes())
        return;
    if (argument.is(ArgumentKind::node)) {
        visit(argument.asNode());
        return;
    }
    for (const Argument& item : argument.items())
        forEachNode(item, visit);
}

/// Calls `visit(NodeId)` for every node in args, then in kwargs.
template <typename Visit>
void forEachNode(const Arguments& args, const Keywords& kwargs, const Visit& visit)
{
    for (const Argument& argument : args)
        forEachNode(argument, visit);
    for (const Keyword& keyword : kwargs)
        forEachNode(keyword.value, visit);
}

/// Returns a copy in which every node is replaced by `replace(NodeId) -> Argument`. Values without nodes are shared.
template <typename Replace>
Argument mapNodes(const Argument& argument, const Replace& replace)
{
    if (!argument.holdsNodes())
        return argument;
    if (argument.is(ArgumentKind::node))
        return replace(argument.asNode());
    Arguments items;
    items.reserve(argument.items().size());
    for (const Argument& item : argument.items())
        items.push_back(mapNodes(item, replace));
    return argument.withItems(std::move(items));
}

template <typename Replace>
Arguments mapNodes(const Arguments& args, const Replace& replace)
{
    Arguments mapped;
    mapped.reserve(args.size());
    for (const Argument& argument : args)
        mapped.push_back(mapNodes(argument, replace));
    return mapped;
}

template <typename Replace>
Keywords mapNodes(const Keywords& kwargs, const Replace& replace)
{
    Keywords mapped;
    mapped.reserve(kwargs.size());
    for (const Keyword& keyword : kwargs)
        mapped.push_back({keyword.key, mapNodes(keyword.value, replace)});
    return mapped;
}

} // namespace sunder
