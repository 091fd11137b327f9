#pragma once

#include "analysis/sizes.h"
#include "ir/program.h"

#include <memory>

namespace sunder {

/// A program as it was read, with all that is computed once and looked up often. Immutable, shared by views and jobs.
struct Snapshot {
    explicit Snapshot(Program read);

    Program program;
    ProgramSizes sizes;
    MemoryTable memory;
    MemoryReads reads;
    NodeIndex names;                         ///< of the root graph
    std::vector<std::uint32_t> positions;    ///< per NodeId of the root graph: place in graph order
    std::size_t callCount = 0;               ///< call nodes of the root graph

    [[nodiscard]] const Graph& graph() const { return program.rootGraph(); }
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace sunder
