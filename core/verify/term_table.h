#pragma once

#include "ir/argument.h"
#include "support/id.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder {

using TermId = Id<struct TermTag>;

/// The meaning of a term. Children are listed in order.
enum class TermKind : std::uint8_t {
    constant,    ///< a literal; detail: its ArgumentKind, head or bits: its value
    group,       ///< a list, tuple, dict, …: [shape, items…]
    shape,       ///< the type of a group; detail: its ArgumentKind, head: its class; [keys or fields…]
    input,       ///< user input number `bits`
    symbol,      ///< a symbolic size shared by inputs; bits: numbers of the input and of its dimension
    tensor,      ///< a parameter, buffer, or constant; head: number of the storage; [dtype, device, layout, rank, offset, …]
    attribute,   ///< an attribute that is not a tensor; head: its name
    module,      ///< a leaf module; head: its class; [path, tensors…]
    parameter,   ///< parameter `bits` of a closure; head: nesting level
    call,        ///< head: target, detail: Op; [state, keywords, arguments…]
    again,       ///< the result of an equal call in other memory: [call]; bits: number of earlier ones
    read,        ///< memory read through a view at a version: [view, version]
    overwritten, ///< content copied over a tensor that may require gradients: [copied, previous content]
    write,       ///< a version of memory: [previous version, call, view written to]
    closure,     ///< a graph operand; bits: number of parameters; [output, effects]
    state,       ///< a field of the global state; head: its name; [rest, value]
    effect,      ///< ordered effects: [previous, call]
    random,      ///< the random number stream after a call: [previous, call]
    form,        ///< everything that can make a call fail: CallForms
    unmatched,   ///< unique to one program, never equal to a term of the other
};

/// Index of the offset among the children of a tensor; sizes and strides follow it.
constexpr std::size_t kTensorOffset = 4;

/// A term. Equal terms have equal ids, so comparing programs amounts to comparing integers.
struct Term {
    TermKind kind;
    std::uint8_t detail = 0;
    std::uint32_t head = 0; ///< usually the id of an InternedString
    std::uint64_t bits = 0;
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
};

/// The hash-consed terms of both programs. Children have smaller ids than their parents. O(children) per term.
class TermTable {
public:
    TermTable();

    TermId make(Term term, std::span<const TermId> children);
    TermId make(Term term, std::initializer_list<TermId> children)
    {
        return make(term, std::span(children.begin(), children.size()));
    }
    TermId make(Term term) { return make(term, std::span<const TermId>()); }

    [[nodiscard]] const Term& operator[](TermId id) const { return m_terms[id.index()]; }
    [[nodiscard]] std::span<const TermId> children(TermId id) const;
    [[nodiscard]] std::size_t size() const { return m_terms.size(); }
    /// Returns the approximate memory use of the terms.
    [[nodiscard]] std::uint64_t bytes() const
    {
        return m_terms.size() * (sizeof(Term) + 20) + m_children.size() * sizeof(TermId);
    }

    /// Makes the term of a literal without children. Integers, floats, and booleans of equal value differ, and so do 0.0 and
    /// -0.0.
    TermId literal(const Argument& argument);
    TermId integer(std::int64_t value);
    TermId text(InternedString value);
    /// Whether a term is a literal of this kind.
    [[nodiscard]] bool isLiteral(TermId id, ArgumentKind kind) const
    {
        return (*this)[id].kind == TermKind::constant && (*this)[id].detail == static_cast<std::uint8_t>(kind);
    }
    /// Returns the value of an integer literal; nothing for other terms.
    [[nodiscard]] std::optional<std::int64_t> integerOf(TermId id) const
    {
        return isLiteral(id, ArgumentKind::integer) ? std::optional(static_cast<std::int64_t>((*this)[id].bits)) : std::nullopt;
    }
    /// Returns the text of a text literal (a string, dtype, device, …), or the field that a state term sets.
    [[nodiscard]] InternedString textOf(TermId id) const;
    /// Makes the text in the head of a term available to textOf().
    void learn(InternedString value) { m_texts.emplace(value.id(), value); }
    /// Returns the term for "nothing", such as no version or no state. Always the first term.
    [[nodiscard]] static TermId nothing() { return TermId(0U); }

private:
    [[nodiscard]] bool equal(const Term& term, const Term& key, std::span<const TermId> children) const;
    void grow();

    std::vector<Term> m_terms;
    std::vector<TermId> m_children;
    std::vector<std::uint64_t> m_hashes;
    std::unordered_map<std::uint32_t, InternedString> m_texts;
    std::vector<std::uint32_t> m_slots; ///< open addressing; index + 1, 0 is free
    std::uint64_t m_seed; ///< of hashes, so that a file cannot force collisions
};

} // namespace sunder
