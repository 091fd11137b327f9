#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Gives the sizes of a part's inputs symbols that PyTorch can read off its inputs. A size that the inputs before it
/// determine, a plain symbol, and a multiple of a symbol that comes by itself nowhere stay as they are. Any other
/// (`((s53 - 1)//16) + 1`, `s0//2`, `s0*s1`, `Max(1, s0)`) becomes a symbol of its own, the same one for equal sizes,
/// and every value of the part, nested graphs included, is written in terms of it as far as it is a function of it; hints
/// stay. Returns the ranges that were given and those of the new symbols, which follow from them by interval
/// arithmetic. Linear in the values of the part, by the equations of its inputs.
///
/// PyTorch solves one equation after another, for one symbol, when it checks inputs (`_check_symint` of
/// torch/_export/utils.py); what it cannot solve it refuses at every size.
std::vector<SymbolRange> giveInputsTheirSymbols(Program& part, const std::vector<SymbolRange>& ranges);

} // namespace sunder
