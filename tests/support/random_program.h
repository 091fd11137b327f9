#pragma once

#include "ir/program.h"

namespace sunder::test {

/// A random program of pure operators: three inputs, three parameters and a buffer, and `calls` calls that use up to
/// three earlier values in lists and keywords. Returns the last two values. Equal seeds give equal programs.
Program randomProgram(unsigned seed, int calls);

} // namespace sunder::test
