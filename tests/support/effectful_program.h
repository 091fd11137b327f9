#pragma once

#include "ir/program.h"

namespace sunder::test {

/// Returns a random program with order dependencies that no value shows: writes in place, views, buffers, random numbers, prints,
/// unknown calls, autocast regions, grad mode, unpacked tuples, symbolic sizes, and weights read twice. Equal seeds give equal
/// programs. All shapes are equal, so that it could run.
struct EffectfulOptions {
    bool isFunctional = false; ///< no writes in place, and all calls are known
    bool hasNumbers = false; ///< some sizes are values of tensors
};
Program effectfulProgram(unsigned seed, int calls, const EffectfulOptions& options = {});

/// Turns it into an exported program: tensors read by get_attr become parameter inputs, and its first computed value is finally
/// written to one of them as a buffer.
void makeExported(Program& program);

} // namespace sunder::test
