#pragma once

#include "verify/explanation.h"

#include <string>

namespace sunder {

/// Why the results of two programs that hold the same may share memory otherwise, with each other or with inputs, parameters, and
/// buffers, or lie there otherwise; half a sentence, empty where they do not. Whoever writes to one result sees that. What each
/// result is a view of is followed through calls that surely give views. O(steps + results).
std::string sharedOtherwise(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms);

} // namespace sunder
