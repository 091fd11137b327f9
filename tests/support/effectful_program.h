#pragma once

#include "ir/program.h"

namespace sunder::test {

/// A random program whose order matters where no value shows it: writes in place, views, buffers, random numbers, prints, calls
/// that nobody knows, regions of autocast, grad mode, tuples taken apart, symbolic sizes, weights read twice. Equal seeds give
/// equal programs. Shapes are all alike, so that it could run.
Program effectfulProgram(unsigned seed, int calls);

} // namespace sunder::test
