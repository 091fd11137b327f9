#pragma once

#include "support/flat_map.h"
#include "support/interned_string.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace sunder {

/// torch.fx's rule for unique node names (`spec/passes.md` section 0). Names are never released.
/// Counters beyond 10^18 are clipped, where Python would go on.
class Namespace {
public:
    /// A name that no earlier call returned, made from the candidate. Amortised O(length).
    InternedString create(std::string_view candidate);
    InternedString create(InternedString candidate);
    /// Makes room for so many names.
    void reserve(std::size_t names);
    [[nodiscard]] bool isUsed(InternedString name) const { return m_used.contains(name); }
    /// Marks a name as used without touching counters, as torch's rename does.
    void use(InternedString name) { m_used.emplace(name); }

private:
    struct Nothing {};

    InternedString createFrom(InternedString candidate);
    std::uint64_t nextFree(std::string_view base, std::uint64_t from, InternedString& name);

    FlatMap<Nothing> m_used;
    FlatMap<std::uint64_t> m_count; ///< base → last number given
    /// base, number → a number at which probing may go on: everything between is known to be used
    std::unordered_map<InternedString, std::unordered_map<std::uint64_t, std::uint64_t>> m_jump;
};

/// True for Python keywords, builtins and the names that generated code reserves (inf, nan, torch, device, …).
bool isReservedName(std::string_view name);

} // namespace sunder
