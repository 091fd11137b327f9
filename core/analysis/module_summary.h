#pragma once

#include "ir/program.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What runs in a module and what it holds.
struct ModuleSummary {
    InternedString path; ///< empty for the whole model
    InternedString cls;  ///< without its package; empty when it is not known
    std::uint32_t depth = 0;         ///< modules around it
    std::uint32_t ops = 0;           ///< calls of the root graph that run in it
    std::uint32_t tensors = 0;       ///< parameters, buffers and constants at and under its path, each object once
    std::uint64_t parameters = 0;    ///< numbers in those of them that are parameters
    std::uint64_t bytes = 0;         ///< of these tensors, each memory once
};

/// The modules of a program that run or hold weights, the whole model first, each before those in it. Of an exported
/// program, which has no modules left, they are those that its nodes and weights say they belong to. O((nodes + tensors) ×
/// depth of their paths).
std::vector<ModuleSummary> moduleSummaries(const Program& program);

} // namespace sunder
