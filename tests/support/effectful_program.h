#pragma once

#include "ir/program.h"

namespace sunder::test {

/// A random program whose order matters where no value shows it: writes in place, views, buffers, random numbers, prints, calls
/// that nobody knows, regions of autocast, grad mode, tuples taken apart, symbolic sizes, weights read twice. Equal seeds give
/// equal programs. Shapes are all alike, so that it could run.
struct EffectfulOptions {
    bool isFunctional = false; ///< nothing writes in place, and all calls are known
    bool hasNumbers = false;   ///< some of the sizes are numbers that tensors hold
};
Program effectfulProgram(unsigned seed, int calls, const EffectfulOptions& options = {});

/// The same program as an exported one: what it reads by get_attr are parameters among its inputs, and what it computes first is
/// written to one of them as a buffer in the end.
void makeExported(Program& program);

} // namespace sunder::test
