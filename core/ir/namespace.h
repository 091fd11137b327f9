#pragma once

#include "ir/node.h"
#include "support/flat_map.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sunder {

/// Creates unique node names by the rules of torch.fx (`docs/passes.md`, "Unique names"). Names are never reused. Counters are
/// clipped at 10^18, unlike in Python.
class Namespace {
public:
    /// Returns a name, derived from the candidate, that no earlier call returned. Amortized O(length).
    InternedString create(std::string_view candidate);
    InternedString create(InternedString candidate);
    /// Returns candidateName(), cached for recent callables.
    InternedString candidateFor(Op op, InternedString target, InternedString fn);
    /// Reserves memory for a number of names.
    void reserve(std::size_t names);
    [[nodiscard]] bool isUsed(InternedString name) const { return m_used.contains(name); }
    /// Marks a name as used without changing counters, as torch.fx does for renames.
    void use(InternedString name) { m_used.insert(name); }

private:
    struct Facts;

    InternedString createFrom(InternedString candidate, const Facts& facts);
    InternedString numberedName(InternedString base, std::uint64_t number);
    std::uint64_t nextFree(InternedString base, std::uint64_t from, InternedString& name);
    [[nodiscard]] std::uint64_t countOf(InternedString base) const;
    void setCount(InternedString base, std::uint64_t count) { m_counts.emplace(base).first = count; }

    InternedSet m_used;
    FlatMap<std::uint64_t> m_counts; ///< base of numbered names → last number assigned
    std::array<std::pair<InternedString, InternedString>, 32> m_candidates; ///< callable and its candidate; by id
    /// The last numbered name of a base. Its successor is cached with it, which saves a look-up by text.
    struct Numbered {
        InternedString base;
        InternedString name;
        std::uint64_t number = 0;
    };
    std::array<Numbered, 32> m_lastNumbered; ///< by id of the base
    /// Base and number → a larger number at which to continue; all numbers in between are used.
    std::unordered_map<InternedString, std::unordered_map<std::uint64_t, std::uint64_t>> m_jump;
};

/// Whether a name is a Python keyword or builtin, or reserved by generated code (inf, nan, torch, device, …).
bool isReservedName(std::string_view name);

} // namespace sunder
