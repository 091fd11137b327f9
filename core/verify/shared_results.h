#pragma once

#include "verify/explanation.h"

#include <string>

namespace sunder {

/// Compares the memory of equal results of two programs: whether they share memory with each other, with inputs, or with weights,
/// or are copied into another tensor. Returns the first difference as half a sentence; empty if there is none. Follows only calls
/// that always return views. O(steps + results).
std::string sharedOtherwise(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const SymbolMapping& mapping);

} // namespace sunder
