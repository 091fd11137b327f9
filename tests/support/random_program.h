#pragma once

#include "ir/program.h"

namespace sunder::test {

/// Returns a random program of pure operators: three inputs, three parameters, a buffer, and `calls` calls that use up to three
/// earlier values in lists and keywords. Its results are the last two values. Equal seeds give equal programs.
Program randomProgram(unsigned seed, int calls);

} // namespace sunder::test
