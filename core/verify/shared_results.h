#pragma once

#include "verify/explanation.h"

#include <string>

namespace sunder {

/// Compares the memory of equal results of two programs: which share memory with each other, with inputs, or with weights, and which
/// are copied into another tensor. Returns the first difference as half a sentence, or an empty text. Follows only calls that always
/// return views. O(steps + results).
std::string sharedOtherwise(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                            const Correspondence& correspondence);

} // namespace sunder
