#pragma once

#include "random.h"

#include "ir/program.h"
#include "support/result.h"

#include <span>
#include <string_view>

namespace sunder::fuzz {

/// One pass under test. To test another, add a function and a line to passes.cpp.
struct Pass {
    std::string_view name;
    /// What it is drawn: a traced graph, an exported program, or now the one and now the other.
    enum class Input : std::uint8_t { graph, exported, any } input;
    /// What its result must be.
    enum class Promise : std::uint8_t {
        torch, ///< what PyTorch makes of it: where there are writes or state, it may compute something else
        right, ///< computes the same, or is refused
        proven, ///< and the verifier says so
        upstream, ///< repeats PyTorch's mistakes: only clean
    } promise;
    /// Draws what else the pass needs (tags, partitions, devices, options), in graph order, and runs it.
    Result<Program> (*run)(const Program& source, Random& random);
};

std::span<const Pass> passes();

} // namespace sunder::fuzz
