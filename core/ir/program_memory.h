#pragma once

#include "ir/program.h"

#include <cstdint>

namespace sunder {

/// Bytes that a program takes in memory: nodes and uses, arguments and values, of which those that copies share count once,
/// modules, tensors, stacks, signature, and every text that it names, once. Blocks count as the allocator hands them out; room
/// that tables keep for more does not, nor does what is looked up in it (analysis/snapshot.h). O(n log n).
std::uint64_t memoryOf(const Program& program);

} // namespace sunder
