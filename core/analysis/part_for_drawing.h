#pragma once

#include "ir/program.h"

#include <optional>
#include <span>
#include <unordered_map>

namespace sunder {

/// Returns the lifted inputs of a program by the names of their placeholders. O(inputs).
std::unordered_map<InternedString, const InputSpec*> liftedInputs(const Program& program);

/// Returns the signature of a called graph, with the inputs that receive lifted inputs of the program from the root graph.
/// `passed`: the values for the placeholders of the called graph, in order. O(inputs + nodes of the called graph).
ExportSignature liftedSignature(const Program& program, std::span<const Argument> passed, const Graph& called);

/// Returns a part of a split exported program as a separate program for drawing. Parameters, buffers and constants that the main
/// graph passes to the part are marked as such in a signature, so that weights fold into the ops that read them, as in the
/// source. Node ids are unchanged. Returns nothing if `graph` is the root or no weights are lifted. O(main graph + part).
std::optional<Program> partForDrawing(const Program& split, GraphId graph);

} // namespace sunder
