#pragma once

#include "analysis/sizes.h"
#include "analysis/training/training_graph.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>

namespace sunder {

/// A loaded program with its lookup tables. Immutable; shared by views and jobs.
struct Snapshot {
    explicit Snapshot(Program read);
    /// Same; fails with ErrorCode::cancelled.
    static Result<Snapshot> build(Program read, ProgressMonitor& monitor);

    std::uint64_t model; ///< number of the loaded model; kept by withOperators()
    Program program;
    MemoryTable memory;
    MemoryReads reads;
    ProgramSizes sizes;
    TrainingGraph training;                  ///< of the root graph
    NodeIndex names;                         ///< of the root graph
    std::vector<std::uint32_t> positions;    ///< per NodeId of the root graph: position in graph order
    std::vector<std::uint8_t> calls;         ///< per NodeId of the root graph: 1 for calls
    std::size_t callCount = 0;               ///< call nodes of the root graph

    [[nodiscard]] const Graph& graph() const { return program.rootGraph(); }
    /// Same as graph()[id].isCall(), without accessing the node: for loops over all nodes of a large model.
    [[nodiscard]] bool isCall(NodeId id) const { return calls[id.index()] != 0; }

private:
    Snapshot(Program read, MemoryTable memoryOfRead, MemoryReads readsOfRead);
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Returns the same model with other schemas of custom operators (null: none). Ids are unchanged. Copies the program: call it
/// from a job.
SnapshotPtr withOperators(const Snapshot& snapshot, std::shared_ptr<const OperatorLibrary> operators);

} // namespace sunder
