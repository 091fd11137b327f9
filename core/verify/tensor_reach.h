#pragma once

#include "verify/symbol_mapping.h"
#include "verify/trace.h"

namespace sunder {

/// Whether a step may depend on the layouts of its arguments. `stridesDiffer`: as for dependsOnLayoutOf().
bool looksAtLayout(const Step& step, bool stridesDiffer);

/// Returns the call that may depend on the memory layout of tensors at `places`; nothing if no call does.
///
/// Checks whether such a tensor, or a value derived from it, is passed to a call that does not ignore layouts, written to,
/// returned, or written back by the signature. Tensors in one region of memory are treated as one. `stridesDiffer`: views may
/// then fail as well, and calls may round differently. The node is invalid if the dependency is in the signature or in a closure.
/// Linear in steps, with a few passes.
std::optional<NodeRef> dependsOnLayoutOf(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side,
                                         Trace& trace, const SymbolMapping& mapping);

/// Whether a program may depend on whether these tensors require gradients: a tensor, or a value computed from it, is written,
/// passed to a call that may depend on gradients, or returned, unless the returned value requires gradients for another reason.
/// `tensors`: their places. Linear in steps.
bool dependsOnGradientsOf(std::span<const TermId> tensors, Trace& trace, const TermTable& terms);

} // namespace sunder
