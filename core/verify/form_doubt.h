#pragma once

#include "verify/parting.h"

namespace sunder {

/// Whether two programs that part so may compute the same all the same, because they only say it in other forms: a
/// keyword or a position, a default written out, 1 and 1.0, dropout that drops nothing, an index counted from the end,
/// the order of the arguments of a sum, a setting that the call does not look at.
bool mayBeOfOtherFormOnly(const TermTable& terms, const Parting& parting);

} // namespace sunder
