#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Returns the ranges of symbols that occur in values of the program's nodes. Linear in nodes and values.
std::vector<SymbolRange> rangesInUse(const Program& program, const std::vector<SymbolRange>& ranges);

} // namespace sunder
