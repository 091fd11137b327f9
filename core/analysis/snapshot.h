#pragma once

#include "analysis/sizes.h"
#include "analysis/training/training_graph.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

#include <memory>

namespace sunder {

/// A program as it was read, with all that is computed once and looked up often. Immutable, shared by views and jobs.
struct Snapshot {
    /// Unfinished once `monitor` was cancelled.
    explicit Snapshot(Program read, ProgressMonitor& monitor = ProgressMonitor::none());

    std::uint64_t model; ///< which one of all that were read: the same for withOperators() of it
    Program program;
    MemoryTable memory;
    MemoryReads reads;
    ProgramSizes sizes;
    TrainingGraph training;                  ///< of the root graph
    NodeIndex names;                         ///< of the root graph
    std::vector<std::uint32_t> positions;    ///< per NodeId of the root graph: place in graph order
    std::vector<std::uint8_t> calls;         ///< per NodeId of the root graph: 1 where it is a call
    std::size_t callCount = 0;               ///< call nodes of the root graph

    [[nodiscard]] const Graph& graph() const { return program.rootGraph(); }
    /// The same as graph()[id].isCall(), without a look at the node: for loops over all of a large model.
    [[nodiscard]] bool isCall(NodeId id) const { return calls[id.index()] != 0; }
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// The same model with other schemas of custom operators; null for none. Ids are the same. Copies the program: for a job.
SnapshotPtr withOperators(const Snapshot& snapshot, std::shared_ptr<const OperatorLibrary> operators);

} // namespace sunder
