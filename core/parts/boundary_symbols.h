#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Rewrites the sizes of a part's inputs so that PyTorch can infer all symbols from the inputs. A size does not change if it is
/// determined by earlier inputs, is a plain symbol, or is a multiple of a symbol that is not a size by itself. Any other size
/// (`((s53 - 1)//16) + 1`, `s0//2`, `s0*s1`, `Max(1, s0)`) becomes a new symbol, the same for equal sizes. All values of the
/// part, including nested graphs, are expressed in terms of it where possible. Hints do not change. Returns the given ranges and
/// those of the new symbols, derived by interval arithmetic. Linear in the values of the part, times the equations of its inputs.
///
/// When PyTorch checks inputs, it solves one equation after another, each for one symbol (`_check_symint` of
/// torch/_export/utils.py). It rejects every size that it cannot solve for.
std::vector<SymbolRange> giveInputsTheirSymbols(Program& part, const std::vector<SymbolRange>& ranges);

} // namespace sunder
