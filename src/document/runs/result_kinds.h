#pragma once

#include "document/runs/compare_runs.h"
#include "support/progress_monitor.h"

#include <functional>

namespace sunder {

/// Description of a result kind. A plain value: history, panes, comparison, and exports use the table resultKinds() instead of
/// distinguishing kinds.
struct ResultDescription {
    ResultKind kind;
    QString does;         ///< "%1 splits the model into parts", where %1 is the run
    QString heading;      ///< "CUT": heading of its exports
    QString programTitle; ///< "The unflattened program": title of `program`; empty if it never has one

    /// Returns a short summary: "4 parts".
    QString (*outcome)(const Outcome& made);
    /// Return the resulting program and the map of its nodes to the source. The pointers or their results are null if there is
    /// none.
    const Program* (*program)(const Outcome& made) = nullptr;
    const IdentityMap* (*map)(const Outcome& made) = nullptr;
    /// Copies a result and changes its program, e.g. its operator schemas or assumed sizes. Null if the kind never has a program.
    std::shared_ptr<Outcome> (*copyWith)(const Outcome& made, const std::function<void(Program&)>& change) = nullptr;
    /// Recomputes sizes in the result for the current sizes of the source. Fails with ErrorCode::cancelled. Call from a job. Null
    /// if the result contains no sizes.
    Result<void> (*recompute)(Outcome& made, const Snapshot& source, ProgressMonitor& monitor) = nullptr;
    /// Null if results of this kind cannot be compared.
    RunComparison (*compare)(const Snapshot& source, const Outcome& before, const Outcome& after,
                             const std::vector<Device>& devices) = nullptr;
};

/// Returns all kinds, in export order.
const std::vector<ResultDescription>& resultKinds();

const ResultDescription& descriptionOf(ResultKind kind);

} // namespace sunder
