#pragma once

#include "analysis/legality/written_memory.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Two parts that use one memory, which one of them writes: as models of their own each has a copy, and the other one does not
/// see the change.
struct CopyConflict {
    std::int32_t writerPart = -1;
    std::int32_t readerPart = -1; ///< the same where a part takes the memory as two copies, by two values
    std::uint32_t writer = 0; ///< in WrittenMemory::uses
    std::uint32_t reader = 0;
    friend bool operator==(const CopyConflict&, const CopyConflict&) = default;
};

/// Where the uses of a memory are in a cut; parts are numbered in the order in which they run.
struct UsePlace {
    std::int32_t part = -1;   ///< of the call; the number of parts for results of the program; -1: none
    std::int32_t origin = -1; ///< of the call that computes MemoryUse::value; -1: none
};

/// Conflicts between the copies of a memory: for each part that reads, in order, the first write and the first read that disagree.
/// Without conflicts, parts that are called in order with copies of the values that pass between them read the same contents as in
/// one process, in every call, if the caller copies writes to inputs of the program back. O(uses · parts that write).
std::vector<CopyConflict> copyConflicts(const WrittenMemory& memory, std::span<const UsePlace> places);

} // namespace sunder
