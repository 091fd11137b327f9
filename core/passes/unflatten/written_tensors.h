#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Returns, per storage of the program, whether a node of the root graph may write to it, through views or nested graphs.
/// Conservative: may return true without a write. O(nodes + arguments).
std::vector<char> writtenStorages(const Program& program);

} // namespace sunder
