#pragma once

#include "support/flat_map.h"
#include "support/interned_string.h"

#include <array>
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
    [[nodiscard]] bool isUsed(InternedString name) const;
    /// Marks a name as used without touching counters, as torch's rename does.
    void use(InternedString name) { m_names.emplace(name).first.isUsed = 1; }

private:
    /// What is known of a text as a name, and as the base of numbered names.
    struct Entry {
        std::uint32_t isUsed : 1 = 0;
        std::uint32_t isLarge : 1 = 0; ///< the count is in m_largeCounts
        std::uint32_t count : 30 = 0;  ///< last number given
    };

    InternedString createFrom(InternedString candidate);
    std::uint64_t nextFree(std::string_view base, std::uint64_t from, InternedString& name);
    [[nodiscard]] std::uint64_t countOf(InternedString base) const;
    void setCount(InternedString base, std::uint64_t count);
    InternedString internBase(std::string_view base);

    FlatMap<Entry> m_names;
    std::unordered_map<InternedString, std::uint64_t> m_largeCounts;
    std::array<InternedString, 32> m_recentBases; ///< nodes have few bases: most need no look into all strings
    /// base, number → a number at which probing may go on: everything between is known to be used
    std::unordered_map<InternedString, std::unordered_map<std::uint64_t, std::uint64_t>> m_jump;
};

/// True for Python keywords, builtins and the names that generated code reserves (inf, nan, torch, device, …).
bool isReservedName(std::string_view name);

} // namespace sunder
