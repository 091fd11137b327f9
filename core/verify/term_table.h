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

/// What a term stands for. Children are listed in order.
enum class TermKind : std::uint8_t {
    constant,    ///< a literal; detail: its ArgumentKind, head or bits: its value
    group,       ///< a list, tuple, dict …: [shape, items…]
    shape,       ///< what a group is: detail its ArgumentKind, head its class; [keys or fields…]
    input,       ///< user input number `bits`
    symbol,      ///< a size that inputs share; bits: number of the input and of its dimension
    tensor,      ///< parameter, buffer or constant: head numbers the storage; [dtype, device, layout, rank, offset, …]
    attribute,   ///< an attribute that is no tensor: head is its name
    module,      ///< a leaf module: head its class; [path, tensors…]
    parameter,   ///< parameter `bits` of a closure, head is the nesting level
    call,        ///< head: target, detail: Op; [state, keywords, arguments…]
    again,       ///< the result of an equal call that lies in other memory: [call], bits: how many came before
    read,        ///< memory seen through a view at a version: [view, version]
    overwritten, ///< what was copied over a tensor that may require gradients: [copied, what stood there before]
    write,       ///< a version of memory: [version before, call, view written to]
    closure,     ///< a graph as an operand: bits: number of parameters; [output, effects]
    state,       ///< a field of the global state: head its name; [rest, value]
    effect,      ///< ordered effects: [before, call]
    random,      ///< the random numbers after a call: [before, call]
    form,        ///< what a call can fail by: CallForms
    unmatched,   ///< something of one program that nothing in the other can equal
};

/// Place of the offset among the children of a tensor; sizes and strides follow it.
constexpr std::size_t kTensorOffset = 4;

/// One term. Equal terms have equal ids, so comparing programs is comparing integers.
struct Term {
    TermKind kind;
    std::uint8_t detail = 0;
    std::uint32_t head = 0; ///< mostly the id of an InternedString
    std::uint64_t bits = 0;
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
};

/// The terms of both programs, hash-consed. A term's children have smaller ids. O(children) a term.
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
    /// What the terms take, about.
    [[nodiscard]] std::uint64_t bytes() const
    {
        return m_terms.size() * (sizeof(Term) + 20) + m_children.size() * sizeof(TermId);
    }

    /// A literal without parts. Integers, floats and truth values of equal value differ, as do 0.0 and -0.0.
    TermId literal(const Argument& argument);
    TermId integer(std::int64_t value);
    TermId text(InternedString value);
    /// Whether a term is a literal of this kind.
    [[nodiscard]] bool isLiteral(TermId id, ArgumentKind kind) const
    {
        return (*this)[id].kind == TermKind::constant && (*this)[id].detail == static_cast<std::uint8_t>(kind);
    }
    /// The value of a literal integer; nothing for all else.
    [[nodiscard]] std::optional<std::int64_t> integerOf(TermId id) const
    {
        return isLiteral(id, ArgumentKind::integer) ? std::optional(static_cast<std::int64_t>((*this)[id].bits)) : std::nullopt;
    }
    /// The text of a literal that is one (a string, dtype, device …), or of the field that a state term sets.
    [[nodiscard]] InternedString textOf(TermId id) const;
    /// Makes textOf() know the text that is the head of a term.
    void learn(InternedString value) { m_texts.emplace(value.id(), value); }
    /// The term that stands for "nothing here": no version yet, no state set. Always the first term.
    [[nodiscard]] static TermId nothing() { return TermId(0U); }

private:
    [[nodiscard]] bool equal(const Term& term, const Term& key, std::span<const TermId> children) const;
    void grow();

    std::vector<Term> m_terms;
    std::vector<TermId> m_children;
    std::vector<std::uint64_t> m_hashes;
    std::unordered_map<std::uint32_t, InternedString> m_texts;
    std::vector<std::uint32_t> m_slots; ///< open addressing; index + 1, 0 is free
    std::uint64_t m_seed; ///< of hashes: so that no file can be made of constants that fall into one slot
};

} // namespace sunder
