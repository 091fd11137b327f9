#pragma once

#include "ir/program.h"

namespace sunder {

/// Whether two programs are the same call for call, value for value and module for module, with tensors in storages of
/// the same names; what nodes are called does not matter. O(nodes + arguments + modules + tensors).
bool areIdentical(const Program& a, const Program& b);

} // namespace sunder
