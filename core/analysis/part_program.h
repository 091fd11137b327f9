#pragma once

#include "ir/program.h"

#include <optional>

namespace sunder {

/// A part of a split exported program as a program of its own, for drawing it: what the main graph passes into it
/// from parameters, buffers and constants is called so in a signature, so that weights fold into the ops that read
/// them as they do in the source. Node ids stay. Nothing when `graph` is the root or nothing is lifted.
/// O(main graph + part).
std::optional<Program> partProgram(const Program& split, GraphId graph);

} // namespace sunder
