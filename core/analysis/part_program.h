#pragma once

#include "ir/program.h"

#include <optional>

namespace sunder {

/// Returns a part of a split exported program as a separate program for drawing. Parameters, buffers and constants that the main
/// graph passes to the part are marked as such in a signature, so that weights fold into the ops that read them, as in the
/// source. Node ids are unchanged. Returns nothing if `graph` is the root or no weights are lifted. O(main graph + part).
std::optional<Program> partProgram(const Program& split, GraphId graph);

} // namespace sunder
