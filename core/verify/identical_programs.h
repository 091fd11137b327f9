#pragma once

#include "ir/program.h"

namespace sunder {

/// Whether two programs are identical except for node names: calls, values, modules, and tensors with the names of their
/// storages. O(nodes + arguments + modules + tensors).
bool areIdentical(const Program& a, const Program& b);

} // namespace sunder
