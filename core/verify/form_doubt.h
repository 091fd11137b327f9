#pragma once

#include "verify/parting.h"
#include "verify/told_apart.h"

#include <string_view>

namespace sunder {

/// Why two programs that part so may compute the same all the same, as a clause for people; empty where they are known to
/// differ. They may only say it in other forms: 1 and 1.0, dropout that drops nothing, an index counted from the end, the
/// order of the arguments of a sum, a setting that the call does not look at. Or they call different operators, or write
/// otherwise to memory, and nobody knows that different things come of it.
std::string_view doubtOf(const TermTable& terms, ToldApart& apart, const Parting& parting);

} // namespace sunder
