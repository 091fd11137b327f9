#pragma once

#include "ir/program.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Op and weight counts of a module.
struct ModuleSummary {
    InternedString path; ///< empty for the whole model
    InternedString cls;  ///< without its package; empty if unknown
    std::uint32_t depth = 0;         ///< number of enclosing modules
    std::uint32_t ops = 0;           ///< calls of the root graph in it
    std::uint32_t tensors = 0;       ///< parameters, buffers and constants at and below its path, each object once
    std::uint64_t parameters = 0;    ///< total elements of the parameters among them
    std::uint64_t bytes = 0;         ///< of these tensors, each memory once
};

/// Returns the modules of a program that run or hold weights: the whole model first, each before its submodules. An exported
/// program no longer has modules; its modules are those recorded in its nodes and weights. O((nodes + tensors) × depth of their
/// paths).
std::vector<ModuleSummary> moduleSummaries(const Program& program);

} // namespace sunder
