#pragma once

#include "ir/argument.h"

#include <vector>

namespace sunder {

/// The symbols in a value: those of its symbolic numbers, and of shapes, strides and offsets of its tensors, at any
/// depth. Each once, sorted by text, as torch's free_symbols() sorted by str(). Names of functions ("Max", "FloorDiv")
/// and of infinities are none. O(text of the expressions).
std::vector<InternedString> freeSymbols(const Argument& value);

/// The symbol that a symbolic integer or float is, when its expression is nothing but that; empty for every other value.
InternedString symbolOf(const Argument& value);

} // namespace sunder
