#pragma once

#include "ir/node.h"
#include "support/flat_map.h"
#include "support/interned_set.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sunder {

/// torch.fx's rule for unique node names (`docs/passes.md`, "Unique names"). Names are never released.
/// Counters beyond 10^18 are clipped, where Python would go on.
class Namespace {
public:
    /// A name that no earlier call returned, made from the candidate. Amortised O(length).
    InternedString create(std::string_view candidate);
    InternedString create(InternedString candidate);
    /// candidateName(), remembered for the callables that were asked for last.
    InternedString candidateFor(Op op, InternedString target, InternedString fn);
    /// Makes room for so many names.
    void reserve(std::size_t names);
    [[nodiscard]] bool isUsed(InternedString name) const { return m_used.contains(name); }
    /// Marks a name as used without touching counters, as torch's rename does.
    void use(InternedString name) { m_used.insert(name); }

private:
    struct Facts;

    InternedString createFrom(InternedString candidate, const Facts& facts);
    InternedString numberedName(InternedString base, std::uint64_t number);
    std::uint64_t nextFree(InternedString base, std::uint64_t from, InternedString& name);
    [[nodiscard]] std::uint64_t countOf(InternedString base) const;
    void setCount(InternedString base, std::uint64_t count) { m_counts.emplace(base).first = count; }

    InternedSet m_used;
    FlatMap<std::uint64_t> m_counts; ///< base of numbered names → last number given
    std::array<std::pair<InternedString, InternedString>, 32> m_candidates; ///< callable, its candidate; by id
    /// The last numbered name of a base: the one after it is kept beside it, and need not be looked up by its text.
    struct Numbered {
        InternedString base;
        InternedString name;
        std::uint64_t number = 0;
    };
    std::array<Numbered, 32> m_lastNumbered; ///< by id of the base
    /// base, number → a number at which probing may go on: everything between is known to be used
    std::unordered_map<InternedString, std::unordered_map<std::uint64_t, std::uint64_t>> m_jump;
};

/// True for Python keywords, builtins and the names that generated code reserves (inf, nan, torch, device, …).
bool isReservedName(std::string_view name);

} // namespace sunder
