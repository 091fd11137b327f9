#pragma once

#include "random.h"

#include "ir/program.h"
#include "support/result.h"

#include <span>
#include <string_view>

namespace sunder::fuzz {

/// A pass under test. To add one, add a function and a line to passes.cpp.
struct Pass {
    std::string_view name;
    /// The kind of program it gets: a traced graph, an exported program, or either.
    enum class Input : std::uint8_t { graph, exported, any } input;
    /// The requirement on its result.
    enum class Promise : std::uint8_t {
        torch, ///< equal to PyTorch's result, which may differ from the source if there are writes or state
        right, ///< equivalent, or refused
        proven, ///< and proven by the verifier
        upstream, ///< repeats PyTorch's mistakes: only lint must pass
    } promise;
    /// Draws the remaining inputs of the pass (tags, partitions, devices, options) in graph order, and runs it.
    Result<Program> (*run)(const Program& source, Random& random);
};

std::span<const Pass> passes();

} // namespace sunder::fuzz
