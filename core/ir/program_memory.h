#pragma once

#include "ir/program.h"

#include <cstdint>

namespace sunder {

/// Returns the memory use of a program in bytes: nodes and uses, arguments and values, modules, tensors, stacks, signature, and
/// texts. Data shared by copies, and each text, count once. Blocks count with their allocator overhead. Excludes spare capacity
/// of tables and look-up structures (analysis/snapshot.h). O(n log n).
std::uint64_t memoryOf(const Program& program);

} // namespace sunder
