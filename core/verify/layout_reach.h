#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

namespace sunder {

/// Whether anything that a program does may hang on how one of these tensors lies in memory, `places` being where they
/// lie: whether one of them, or what is made from it, is given to a call that does not ignore layouts, written to, or
/// written back to by the signature; what lies in one memory counts as one. `stridesDiffer`: views, too, may fail then.
/// Linear in steps, a few times over.
bool hangsOnLayoutOf(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side, Trace& trace,
                     const Correspondence& correspondence);

} // namespace sunder
