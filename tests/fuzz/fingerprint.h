#pragma once

#include "ir/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder::fuzz {

/// The results of a program as numbers. They come from an independent interpreter that knows the operators of the generators and
/// treats every other one as a function of its arguments. Programs with different fingerprints differ, so calling them equivalent
/// is a bug of the verifier.
struct Fingerprint {
    std::vector<std::uint64_t> outputs; ///< leaves
    std::map<std::string, std::uint64_t> memory; ///< inputs and storages whose contents have changed
    std::vector<std::uint64_t> assertions; ///< sorted, without duplicates
    std::uint64_t effects = 0;
    std::uint64_t random = 0;
    std::uint64_t state = 0;
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Inputs shared by a program and the programs derived from it.
struct Givens {
    std::vector<bool> gradients; ///< which user inputs may require gradients, according to their placeholders
    std::unordered_set<InternedString> storages; ///< their ids
    std::unordered_map<InternedString, std::uint64_t> contents; ///< of tensors by name
};
Givens givensOf(const Program& program);

/// Returns nothing if the program does something unknown. `givens` are those of the original program, since passes lose
/// descriptions and copy tensors.
std::optional<Fingerprint> fingerprint(const Program& program, const Givens& givens);

} // namespace sunder::fuzz
