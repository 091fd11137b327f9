#pragma once

#include "ir/argument.h"

#include <vector>

namespace sunder {

/// Returns the symbols of a value: those in its symbolic numbers and in the shapes, strides and offsets of its tensors, at any
/// depth. Each symbol occurs once, sorted by text, like PyTorch's free_symbols() sorted by str(). Function names ("Max",
/// "FloorDiv") and infinities are not symbols. O(length of the expressions).
std::vector<InternedString> freeSymbols(const Argument& value);

/// Returns the symbol if the value is a symbolic integer or float whose expression is a single symbol; empty otherwise.
InternedString symbolOf(const Argument& value);

} // namespace sunder
