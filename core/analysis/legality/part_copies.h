#pragma once

#include "analysis/legality/written_memory.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Two parts that use one memory, which one of them writes. As separate models each has a copy, so the other part does not see
/// the change.
struct CopyConflict {
    std::int32_t writerPart = -1;
    std::int32_t readerPart = -1; ///< same as `writerPart` if a part receives the memory as two copies, through two values
    std::uint32_t writer = 0; ///< index in WrittenMemory::uses
    std::uint32_t reader = 0;
    friend bool operator==(const CopyConflict&, const CopyConflict&) = default;
};

/// The part of each use of a memory. Parts are numbered in execution order.
struct UsePlace {
    std::int32_t part = -1;   ///< of the call; the number of parts for results of the program; -1: none
    std::int32_t origin = -1; ///< of the call that computes MemoryUse::value; -1: none
};

/// Finds conflicts between the copies of a memory: for each reading part, in order, the first write and the first read that
/// disagree. Without conflicts, parts called in order, with copies of the values that pass between them, read the same contents
/// as in one process in every call, provided that the caller copies writes to program inputs back. O(uses × writing parts).
std::vector<CopyConflict> copyConflicts(const WrittenMemory& memory, std::span<const UsePlace> places);

} // namespace sunder
