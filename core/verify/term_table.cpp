#include "verify/term_table.h"

#include "support/mix_hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace sunder {
namespace {

constexpr unsigned kSlotShift = 32; ///< the high bits of a hash select its slot

std::uint64_t hashOf(const Term& term, std::span<const TermId> children, std::uint64_t seed)
{
    std::uint64_t hash = mixHash(seed ^ (static_cast<std::uint64_t>(term.kind) << 8U | term.detail), term.head);
    hash = mixHash(mixHash(hash, term.bits), seed);
    for (const TermId child : children)
        hash = mixHash(hash, child.index());
    return mixHash(hash, children.size());
}

std::uint64_t bitsOf(double value)
{
    return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
}

} // namespace

TermTable::TermTable() : m_slots(1U << 12U), m_seed(std::random_device{}() | 1ULL << 40U)
{
    make({.kind = TermKind::constant, .detail = static_cast<std::uint8_t>(ArgumentKind::unknown)});
}

std::span<const TermId> TermTable::children(TermId id) const
{
    const Term& term = m_terms[id.index()];
    return std::span(m_children).subspan(term.firstChild, term.childCount);
}

bool TermTable::equal(const Term& term, const Term& key, std::span<const TermId> children) const
{
    return term.kind == key.kind && term.detail == key.detail && term.head == key.head && term.bits == key.bits
        && term.childCount == children.size()
        && std::equal(children.begin(), children.end(), m_children.begin() + term.firstChild);
}

TermId TermTable::make(Term term, std::span<const TermId> children)
{
    if (m_terms.size() * 2 >= m_slots.size())
        grow();
    const std::uint64_t hash = hashOf(term, children, m_seed);
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash >> kSlotShift & mask;
    for (; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const std::uint32_t index = m_slots[slot] - 1;
        if (m_hashes[index] == hash && equal(m_terms[index], term, children))
            return TermId(index);
    }
    term.firstChild = static_cast<std::uint32_t>(m_children.size());
    term.childCount = static_cast<std::uint32_t>(children.size());
    m_children.insert(m_children.end(), children.begin(), children.end());
    m_terms.push_back(term);
    m_hashes.push_back(hash);
    m_slots[slot] = static_cast<std::uint32_t>(m_terms.size());
    return TermId(m_terms.size() - 1);
}

void TermTable::grow()
{
    std::vector<std::uint32_t> slots(m_slots.size() * 2);
    const std::size_t mask = slots.size() - 1;
    for (std::size_t i = 0; i < m_terms.size(); ++i) {
        std::size_t slot = m_hashes[i] >> kSlotShift & mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
    m_slots = std::move(slots);
}

TermId TermTable::literal(const Argument& argument)
{
    Term term{.kind = TermKind::constant, .detail = static_cast<std::uint8_t>(argument.kind())};
    switch (argument.kind()) {
    case ArgumentKind::none:
    case ArgumentKind::ellipsis: break;
    case ArgumentKind::boolean: term.bits = argument.asBoolean() ? 1 : 0; break;
    case ArgumentKind::integer: term.bits = static_cast<std::uint64_t>(argument.asInteger()); break;
    case ArgumentKind::floating: term.bits = bitsOf(argument.asFloating()); break;
    case ArgumentKind::complex: {
        const auto [real, imaginary] = argument.asComplex();
        return make(term, {literal(Argument::floating(real)), literal(Argument::floating(imaginary))});
    }
    case ArgumentKind::object:
    case ArgumentKind::opaque:
        learn(argument.text());
        term.bits = argument.className().id();
        term.head = argument.text().id();
        break;
    case ArgumentKind::symbolic:
        learn(argument.asSymbolic().expression);
        term.bits = static_cast<std::uint64_t>(argument.asSymbolic().kind);
        term.head = argument.asSymbolic().expression.id();
        break;
    default:
        learn(argument.text());
        term.head = argument.text().id();
        break;
    }
    return make(term);
}

InternedString TermTable::textOf(TermId id) const
{
    const auto found = m_texts.find(m_terms[id.index()].head);
    return found != m_texts.end() ? found->second : InternedString();
}

TermId TermTable::integer(std::int64_t value)
{
    return literal(Argument::integer(value));
}

TermId TermTable::text(InternedString value)
{
    return literal(Argument::string(value));
}

} // namespace sunder
