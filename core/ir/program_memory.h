#pragma once

#include "ir/program.h"

#include <cstdint>

namespace sunder {

/// Bytes that a program takes in memory: tables of nodes and uses with the room that they keep, arguments and values, of
/// which each copy counts its share, modules, tensors, stacks, signature, and every text that it names, once. Blocks count
/// as the allocator hands them out. What is looked up in it (analysis/snapshot.h) is not part of it. Linear.
std::uint64_t memoryOf(const Program& program);

} // namespace sunder
