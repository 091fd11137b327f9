#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

namespace sunder {

/// Whether a step may depend on the layouts of its arguments. `stridesDiffer`: as for hangsOnLayoutOf().
bool looksAtLayout(const Step& step, bool stridesDiffer);

/// The call that may hang on how one of these tensors lies in memory, `places` being where they lie; nothing where none does.
/// Looks whether one of them, or what is made from it, is given to a call that does not ignore layouts, written to, returned, or
/// written back to by the signature; what lies in one memory counts as one. `stridesDiffer`: views, too, may fail then, and
/// calls may give other bits. The node is invalid where the signature or a closure decides. Linear in steps, a few times over.
std::optional<NodeRef> hangsOnLayoutOf(std::span<const TermId> places, bool stridesDiffer, const Program& program, Side side,
                                       Trace& trace, const Correspondence& correspondence);

} // namespace sunder
