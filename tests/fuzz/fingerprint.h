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

/// What a program computes, as numbers: an interpreter of its own, which knows the operators that the drawers use and
/// takes every other for a function of its arguments. Two programs of different fingerprints compute different things,
/// so a verifier that calls them the same is wrong.
struct Fingerprint {
    std::vector<std::uint64_t> outputs; ///< leaves
    std::map<std::string, std::uint64_t> memory; ///< inputs and storages that hold something else than before
    std::vector<std::uint64_t> assertions;       ///< sorted, each once
    std::uint64_t effects = 0;
    std::uint64_t random = 0;
    std::uint64_t state = 0;
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// What the programs made of one and compared with it are given.
struct Givens {
    std::vector<bool> gradients; ///< which user inputs may require gradients, by the descriptions of their placeholders
    std::unordered_set<InternedString> storages;                ///< their ids
    std::unordered_map<InternedString, std::uint64_t> contents; ///< of tensors by name
};
Givens givensOf(const Program& program);

/// Nothing when the program does something that is not known here. `givens`: of the program that others are compared
/// with, for descriptions get lost on the way and tensors are copied.
std::optional<Fingerprint> fingerprint(const Program& program, const Givens& givens);

} // namespace sunder::fuzz
