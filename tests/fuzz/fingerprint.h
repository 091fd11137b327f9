#pragma once

#include "ir/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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

/// Which user inputs may require gradients, by the descriptions of their placeholders.
std::vector<bool> gradientInputs(const Program& program);

/// Nothing when the program does something that is not known here. `gradients`: of the program that others are compared
/// with, for descriptions get lost on the way.
std::optional<Fingerprint> fingerprint(const Program& program, const std::vector<bool>& gradients);

} // namespace sunder::fuzz
