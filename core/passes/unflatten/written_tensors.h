#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Per storage of the program: whether a node of the root graph may write to it, through views and through graphs that
/// nodes hold. Errs on the side of yes. O(nodes + arguments).
std::vector<char> writtenStorages(const Program& program);

} // namespace sunder
