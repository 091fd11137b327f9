#pragma once

#include "ir/program.h"
#include "verify/symbol_mapping.h"
#include "verify/verify.h"

#include <optional>
#include <string>

namespace sunder {

/// Compares the user inputs of two programs: their number, the positions that collect positional or keyword arguments (`*rest`,
/// `**options`), and default values. Returns a report of the first difference, or nothing. A default value in only one of the
/// programs does not affect calls that pass every input, so it is only added to `notes`. O(placeholders).
std::optional<VerifyReport> differentInputs(const Program& a, const Program& b, const SymbolMapping& mapping,
                                            std::vector<std::string>& notes);

/// Returns the difference between the accepted inputs of two exported programs as half a sentence: nesting and names of inputs,
/// nesting of results, constants, dtypes, devices, layouts, sizes, and ranges. Empty if there is none, or if a program does not
/// state them. Linear in inputs.
std::string differentDomain(const Program& a, const Program& b);

/// Compares guards, hooks, and replaced code of modules with graphs, and content from later file format versions. Returns the
/// first difference as half a sentence; empty if there is none. Linear in nodes, modules, and their texts.
std::string differentStatements(const Program& a, const Program& b);

} // namespace sunder
